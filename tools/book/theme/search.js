// The search of the book: every word must occur; a word in a title counts more. Works from disk.
const query = document.getElementById('query');
const found = document.getElementById('found');
const most = 12;

function score(section, words) {
  const [, title, page, text] = section.map((part) => part.toLowerCase());
  let sum = 0;
  for (const word of words) {
    const times = text.split(word).length - 1;
    const points = (title.includes(word) ? 10 : 0) + (page.includes(word) ? 4 : 0) + Math.min(times, 5);
    if (points === 0) return 0;
    sum += points;
  }
  return sum;
}

function around(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 40);
  return (at ? '… ' : '') + text.slice(at, at + 120).replace(/\s+/g, ' ') + ' …';
}

function entry(section, words) {
  const [place, title, page, text] = section;
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = query.dataset.base + '/' + place;
  link.textContent = page && page !== title ? page + ': ' + title : title;
  const excerpt = document.createElement('p');
  excerpt.textContent = around(text, words[0]);
  item.append(link, excerpt);
  return item;
}

function show() {
  const words = query.value.toLowerCase().split(/\s+/).filter((word) => word.length > 1);
  found.hidden = words.length === 0;
  if (words.length === 0) return found.replaceChildren();
  const hits = book.map((section) => [score(section, words), section]).filter(([points]) => points > 0);
  hits.sort((a, b) => b[0] - a[0]);
  const items = hits.slice(0, most).map(([, section]) => entry(section, words));
  if (items.length === 0) {
    items.push(document.createElement('li'));
    items[0].textContent = 'nothing found';
  }
  found.replaceChildren(...items);
}

query.addEventListener('input', show);
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== query) {
    event.preventDefault();
    query.focus();
  }
});
