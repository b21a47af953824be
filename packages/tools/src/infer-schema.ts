// Types out of schemas: JSON Schema literals, and Standard Schema objects (zod, valibot, arktype).
import type { StandardSchemaV1 } from '@standard-schema/spec';

/** What `defineTool` takes as a schema. */
export type SchemaLike = StandardSchemaV1 | { readonly [keyword: string]: unknown };

type Simplify<T> = { [Key in keyof T]: T[Key] } & {};

/** The TypeScript type of a JSON Schema literal; what cannot be told from it is `unknown`. */
export type FromSchema<Schema> = Schema extends { readonly nullable: true } ? Plain<Schema> | null : Plain<Schema>;

type Plain<Schema> = Schema extends true
  ? unknown
  : Schema extends false
    ? never
    : Schema extends { readonly const: infer Value }
      ? Mutable<Value>
      : Schema extends { readonly enum: readonly (infer Value)[] }
        ? Mutable<Value>
        : Schema extends { readonly anyOf: readonly (infer Branch)[] }
          ? FromSchema<Branch>
          : Schema extends { readonly oneOf: readonly (infer Branch)[] }
            ? FromSchema<Branch>
            : Schema extends { readonly type: infer Type }
              ? Type extends readonly (infer Each)[]
                ? OfType<Each, Schema>
                : OfType<Type, Schema>
              : Schema extends { readonly properties: unknown }
                ? ObjectOf<Schema>
                : unknown;

type OfType<Type, Schema> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? ArrayOf<Schema>
          : Type extends 'object'
            ? ObjectOf<Schema>
            : unknown;

type ArrayOf<Schema> = Schema extends { readonly prefixItems: infer Items extends readonly unknown[] }
  ? { -readonly [Index in keyof Items]: FromSchema<Items[Index]> }
  : Schema extends { readonly items: infer Item }
    ? FromSchema<Item>[]
    : unknown[];

type RequiredKeys<Schema> = Schema extends { readonly required: readonly (infer Key)[] } ? Key : never;

type ObjectOf<Schema> = Schema extends { readonly properties: infer Properties }
  ? Simplify<
      {
        -readonly [Key in keyof Properties as Key extends RequiredKeys<Schema> ? Key : never]: FromSchema<
          Properties[Key]
        >;
      } & {
        -readonly [Key in keyof Properties as Key extends RequiredKeys<Schema> ? never : Key]?: FromSchema<
          Properties[Key]
        >;
      }
    >
  : Schema extends { readonly additionalProperties: infer Rest extends object }
    ? Record<string, FromSchema<Rest>>
    : Record<string, unknown>;

type Mutable<Value> = Value extends readonly unknown[] | { readonly [key: string]: unknown }
  ? { -readonly [Key in keyof Value]: Mutable<Value[Key]> }
  : Value;

/** Top-level defaults are filled in before a tool runs, so it always has those properties. */
type Filled<Schema, Args> = Schema extends { readonly properties: infer Properties }
  ? Simplify<
      Omit<Args, DefaultedKeys<Properties>> & {
        [Key in DefaultedKeys<Properties> & keyof Properties]: FromSchema<Properties[Key]>;
      }
    >
  : Args;

type DefaultedKeys<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends { readonly default: unknown } ? Key : never;
}[keyof Properties];

/** What the body of a tool gets. */
export type InferArguments<Schema> = Schema extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Schema>
  : Filled<Schema, FromSchema<Schema>>;

/** What the body of a tool gives; anything that is JSON where no schema is declared. */
export type InferGiven<Schema> = Schema extends undefined
  ? unknown
  : Schema extends StandardSchemaV1
    ? StandardSchemaV1.InferInput<Schema>
    : FromSchema<Schema>;

/** The value as it is rendered and as programs get it. */
export type InferValue<Schema> = Schema extends undefined
  ? unknown
  : Schema extends StandardSchemaV1
    ? StandardSchemaV1.InferOutput<Schema>
    : FromSchema<Schema>;
