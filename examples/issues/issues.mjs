// A plugin of one's own: three tools over a small store, and the domain API `Issues` that programs get over them.
import { namespaceTool } from '@codeseam/namespaces';
import { defineTool } from '@codeseam/tools';

const issue = {
  type: 'object',
  properties: {
    number: { type: 'integer' },
    title: { type: 'string' },
    open: { type: 'boolean' },
    labels: { type: 'array', items: { type: 'string' } },
  },
  required: ['number', 'title', 'open', 'labels'],
  additionalProperties: false,
};
const byNumber = { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] };

export default {
  name: 'issues',
  inject: ['tools', 'namespaces'],
  apply(ctx, config) {
    const store = new Map(config.issues.map((it, index) => [index + 1, { number: index + 1, open: true, labels: [], ...it }]));
    const find = (number) => store.get(number) ?? raise(`there is no issue ${number}`);

    ctx.tools.register(
      defineTool({
        name: 'list_issues',
        description: 'All issues, or those with a label.',
        parameters: { type: 'object', properties: { label: { type: 'string' } } },
        output: { schema: { type: 'array', items: issue } },
        replaySafe: true,
        execute: ({ label }) => [...store.values()].filter((it) => label === undefined || it.labels.includes(label)),
      }),
    );
    ctx.tools.register(
      defineTool({
        name: 'label_issue',
        description: 'Adds labels to an issue.',
        parameters: {
          type: 'object',
          properties: { number: { type: 'integer' }, labels: { type: 'array', items: { type: 'string' } } },
          required: ['number', 'labels'],
        },
        output: { schema: issue },
        execute({ number, labels }) {
          const it = find(number);
          it.labels = [...new Set([...it.labels, ...labels])];
          return it;
        },
      }),
    );
    ctx.tools.register(
      defineTool({
        name: 'close_issue',
        description: 'Closes an issue.',
        parameters: byNumber,
        output: { schema: issue },
        execute: ({ number }) => Object.assign(find(number), { open: false }),
      }),
    );
    // Closing needs a person; without one to ask it is denied, also from inside a program.
    ctx.tools.hook('preExecute', ({ tool }) => (tool.name === 'close_issue' ? { decision: 'ask', reason: 'it is final' } : undefined));

    ctx.namespaces.register({
      id: 'issues',
      globalName: 'Issues',
      description: 'Issues of the project: Issues.list({ label? }), Issues.label(number, ...labels), Issues.close(number).',
      requiredToolNames: ['list_issues', 'label_issue', 'close_issue'],
      createScope: () => ({
        list: namespaceTool('list_issues', ([filter]) => filter ?? {}),
        label: namespaceTool('label_issue', ([number, ...labels]) => ({ number, labels })),
        close: namespaceTool('close_issue', ([number]) => ({ number })),
      }),
    });
  },
};

function raise(message) {
  throw new Error(message);
}
