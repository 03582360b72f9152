// The gallery goes on when one reaches its end; without this script the link "More" leads to the next page.
(function () {
  "use strict";
  const gallery = document.getElementById("gallery");
  let link = document.getElementById("more");
  if (!gallery || !link || !("IntersectionObserver" in window)) return;
  const watcher = new IntersectionObserver(async (entries) => {
    if (!link || !entries.some((entry) => entry.isIntersecting)) return;
    const next = link;
    link = null;
    watcher.unobserve(next);
    try {
      const answer = await fetch(next.href);
      if (!answer.ok) throw new Error(answer.statusText);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      gallery.append(...page.querySelectorAll("#gallery > figure"));
      link = page.getElementById("more");
      if (link) { next.replaceWith(link); watcher.observe(link); } else next.parentElement.remove();
    } catch { link = next; }  // the link still leads on
  }, { rootMargin: "600px" });
  watcher.observe(link);
})();
