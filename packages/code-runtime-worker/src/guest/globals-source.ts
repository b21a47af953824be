// Where the globals of a program come from: its order, and the bridge.
import { type GlobalsSource, MemberNames, mapGet, mapSet, RealMap } from '@codeseam/code-runtime/guest';
import type { RunOrder } from '../messages.ts';
import type { Bridge } from './bridge.ts';

export function globalsSource({ names, tables, texts }: RunOrder, bridge: Bridge): GlobalsSource {
  const members = tables.map((table) => new MemberNames(table));
  const textOf = new RealMap<string, string>();
  for (const [index, name] of names.globals.entries()) mapSet(textOf, name, texts[index]!);
  return {
    member: (namespace, path) => members[namespace]!.member(path),
    names: (namespace, path) => members[namespace]!.names(path),
    unknownMember: (namespace, path) => members[namespace]!.unknownMember(names.namespaces[namespace]!.global, path),
    makeFunction:
      (namespace, path, shown, errorClass) =>
      (...args) =>
        bridge.call(namespace, path, shown, args, errorClass),
    global: (name) => mapGet(textOf, name)!,
  };
}
