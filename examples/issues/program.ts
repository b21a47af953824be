// Labels every crash, then tries to close one, which a person has to allow.
interface Issue {
  number: number;
  title: string;
}

const crashes = (await Issues.list()).filter((it: Issue) => /crash/i.test(it.title));
await Promise.all(crashes.map(({ number }: Issue) => Issues.label(number, 'bug', 'crash')));

let closed = 'closed';
try {
  await Issues.close(crashes[0].number);
} catch (error) {
  closed = `not closed: ${(error as Error).name}`;
}

const labelled = await Issues.list({ label: 'crash' });
return { labelled: labelled.map(({ number }: Issue) => number), closed };
