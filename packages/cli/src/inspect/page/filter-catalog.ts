// Runs in the inspection page: the search field hides catalog entries that do not match.
interface PageElement {
  textContent: string | null;
  hidden: boolean;
  value: string;
  addEventListener(type: string, listener: () => void): void;
}

interface Page {
  getElementById(id: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}

const page = (globalThis as unknown as { document: Page }).document;
const field = page.getElementById('filter');
const shown = page.getElementById('shown');
const entries = [...page.querySelectorAll('#catalog .entry')];

field?.addEventListener('input', () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const entry of entries) {
    const text = (entry.textContent ?? '').toLowerCase();
    entry.hidden = !words.every((word) => text.includes(word));
    if (!entry.hidden) count++;
  }
  if (shown) shown.textContent = words.length > 0 ? `${count} of ${entries.length}` : '';
});
