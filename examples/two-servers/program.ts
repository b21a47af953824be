// What a model might write: which region grew most over half a year of orders?
interface Order {
  region: string;
  month: string;
  cents: number;
}

function parse(csv: string, month: string): Order[] {
  const [, ...lines] = csv.trim().split('\n');
  return lines.map((line) => {
    const [, region, , quantity, price] = line.split(',');
    return { region, month, cents: Number(quantity) * Math.round(Number(price) * 100) };
  });
}

const allowed = await MCP.files.listAllowedDirectories();
const folder = allowed.content[0].text.split('\n').at(-1)!;
const listing = await MCP.files.listDirectory({ path: folder });
const names = [...listing.content[0].text.matchAll(/\[FILE\] (orders-(\d{4}-\d{2})\.csv)/g)];

// One call a file, all at once: none of their text goes through the model.
const orders = (
  await Promise.all(
    names.map(async ([, name, month]) => {
      const file = await MCP.files.readTextFile({ path: `${folder}/${name}` });
      return parse(file.content[0].text, month);
    }),
  )
).flat();

const byRegion = new Map<string, Map<string, number>>();
for (const { region, month, cents } of orders) {
  const months = byRegion.get(region) ?? new Map<string, number>();
  byRegion.set(region, months.set(month, (months.get(month) ?? 0) + cents));
}

// Growth as the slope of a least-squares line through the monthly sums, in cents a month.
function slope(values: number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const top = values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0);
  return top / values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
}

const ranking = [...byRegion]
  .map(([region, months]) => {
    const sums = [...months].sort(([a], [b]) => a.localeCompare(b)).map(([, cents]) => cents);
    return { region, total: sums.reduce((a, b) => a + b, 0) / 100, growthPerMonth: Math.round(slope(sums)) / 100 };
  })
  .sort((a, b) => b.growthPerMonth - a.growthPerMonth);

// Another server checks the grand total, two regions at a time.
let checked = 0;
for (const { total } of ranking) {
  const { content } = await MCP.everything.getSum({ a: checked, b: total });
  checked = Number(/ is ([\d.]*\d)/.exec(content[0].text)![1]);
}

return { orders: orders.length, months: names.length, fastest: ranking[0], checkedTotal: Math.round(checked * 100) / 100, ranking };
