// When the window changes its size, or the page is zoomed, people go on reading where they were.

/** `views` are TextViews, `list` has `list` (the element that scrolls) and `rowInSight`. */
export function keepPlaces(views, list) {
  const places = new Map();
  let row = null;
  let width = window.innerWidth;
  let height = window.innerHeight;

  const remember = () => {
    if (window.innerWidth !== width || window.innerHeight !== height) return; // the places of the old size still count
    for (const view of views) places.set(view, view.topInSight);
    const element = list.rowInSight;
    row = element ? { element, below: element.getBoundingClientRect().top - list.list.getBoundingClientRect().top } : null;
  };

  const restore = () => {
    const focused = document.activeElement;
    for (const [view, place] of places) if (place) view.bringBack(place);
    if (row?.element.isConnected) {
      const box = list.list.getBoundingClientRect();
      const most = Math.max(0, list.list.clientHeight - row.element.offsetHeight);
      list.list.scrollTop += row.element.getBoundingClientRect().top - box.top - Math.min(row.below, most);
    }
    if (focused && focused !== document.body) focused.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    ({ innerWidth: width, innerHeight: height } = window);
  };

  for (const event of ["scroll", "focusin", "pointerup", "keyup"]) document.addEventListener(event, remember, { capture: true, passive: true });
  window.addEventListener("resize", restore);
}
