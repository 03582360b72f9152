// How items are answered by mouse and keyboard: images to choose from, a grid to paint, a video to watch and to click on.
// Pages of tests have their items from the beginning; those of studies call `unseenAnswer.attach` for each that comes.
(function () {
  "use strict";
  let COLORS = [];  // of the numbers in a grid, as the server says
  const element = (name, attributes = {}, ...inside) => {
    const made = Object.assign(document.createElement(name), attributes);
    made.append(...inside);
    return made;
  };

  // ---------------------------------------------------------------- four images
  const choices = document.getElementById("choices");
  if (choices) {
    document.addEventListener("keydown", (event) => {
      if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
      const button = choices.querySelector(`button[value="${Number(event.key) - 1}"]`);
      if (button) button.click();
    });
    choices.addEventListener("click", (event) => {  // one answer, however often one clicks
      if (!event.target.closest("button")) return;
      if (choices.dataset.sent) event.preventDefault();
      choices.dataset.sent = "yes";
    });
    addEventListener("pageshow", () => { delete choices.dataset.sent; });  // who comes back may answer again; the first one counts
  }

  // ---------------------------------------------------------------- grids
  function drawGrid(canvas, grid, marks = {}) {
    const rows = grid.length, columns = grid[0].length;
    const cell = Math.max(10, Math.min(28, Math.floor(420 / Math.max(rows, columns))));
    canvas.width = columns * cell + 1;
    canvas.height = rows * cell + 1;
    const pen = canvas.getContext("2d");
    grid.forEach((row, y) => row.forEach((color, x) => {
      pen.fillStyle = COLORS[color];
      pen.fillRect(x * cell, y * cell, cell, cell);
      pen.strokeStyle = "#9aa4af";
      pen.lineWidth = 1;
      pen.strokeRect(x * cell + .5, y * cell + .5, cell, cell);
      if (marks.wrong && marks.wrong(x, y)) {
        pen.strokeStyle = "#000"; pen.lineWidth = 4; cross(pen, x, y, cell);
        pen.strokeStyle = "#fff"; pen.lineWidth = 2; cross(pen, x, y, cell);
      }
    }));
    if (marks.at) {
      const [x, y] = marks.at;
      pen.lineWidth = 5; pen.strokeStyle = "#fff"; pen.strokeRect(x * cell + 1.5, y * cell + 1.5, cell - 2, cell - 2);
      pen.lineWidth = 2; pen.strokeStyle = "#000"; pen.strokeRect(x * cell + 1.5, y * cell + 1.5, cell - 2, cell - 2);
    }
    return cell;
  }
  function cross(pen, x, y, cell) {
    pen.beginPath();
    pen.moveTo(x * cell + 3, y * cell + 3); pen.lineTo((x + 1) * cell - 3, (y + 1) * cell - 3);
    pen.moveTo((x + 1) * cell - 3, y * cell + 3); pen.lineTo(x * cell + 3, (y + 1) * cell - 3);
    pen.stroke();
  }
  function pictureOf(grid, title, marks) {
    const canvas = element("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `${title}: ${grid.map((row) => row.join(" ")).join(", ")}`);
    drawGrid(canvas, grid, marks);
    return element("figure", {}, element("figcaption", { textContent: title }), canvas);
  }
  function compare(painter) {
    const { grid, truth, colors } = JSON.parse(painter.dataset.told);
    COLORS = colors;
    painter.append(pictureOf(grid, "Your answer", { wrong: (x, y) => grid[y][x] !== truth[y][x] }), pictureOf(truth, "The right one"));
  }
  function paintable(painter) {
    const { grid, demonstrations, colors } = JSON.parse(painter.dataset.item);
    COLORS = colors;
    const field = document.getElementById("grid");
    demonstrations.forEach(([before, after], k) => painter.append(pictureOf(before, `Example ${k + 1}`), pictureOf(after, `Its result`)));
    painter.append(pictureOf(grid, "Input"));
    let answer = grid.map((row) => row.map(() => 0)), color = 1, at = [0, 0], drawing = false;
    const undo = [];
    const canvas = element("canvas", { tabIndex: 0, id: "canvas" });
    canvas.setAttribute("role", "application");
    const said = element("p", { className: "quiet", role: "status" });
    function show() {
      const [x, y] = at;
      drawGrid(canvas, answer, { at });
      canvas.setAttribute("aria-label", "Your grid, to be painted with arrows and digits");
      said.textContent = `Row ${y + 1}, column ${x + 1}: color ${answer[y][x]}`;
      field.value = JSON.stringify(answer);
      for (const button of palette.children) button.setAttribute("aria-pressed", String(Number(button.value) === color));
    }
    const keep = () => { undo.push(JSON.stringify(answer)); if (undo.length > 200) undo.shift(); };
    const back = () => { if (undo.length) answer = JSON.parse(undo.pop()); show(); };
    const copy = () => { keep(); answer = grid.map((row) => [...row]); show(); };
    const clear = () => { keep(); answer = grid.map((row) => row.map(() => 0)); show(); };
    const palette = element("div", { className: "palette" });
    palette.setAttribute("role", "group");
    palette.setAttribute("aria-label", "Colors");
    COLORS.forEach((shade, number) => {
      const button = element("button", { type: "button", value: number, onclick: () => { color = number; show(); } }, element("span", { textContent: number }));
      button.setAttribute("aria-label", `Color ${number}${number ? "" : ", background"}`);
      button.style.background = shade;
      palette.append(button);
    });
    const cellAt = (event) => {
      const box = canvas.getBoundingClientRect();
      const x = Math.floor((event.clientX - box.left) / box.width * grid[0].length);
      const y = Math.floor((event.clientY - box.top) / box.height * grid.length);
      return [Math.max(0, Math.min(grid[0].length - 1, x)), Math.max(0, Math.min(grid.length - 1, y))];
    };
    const paint = (event) => { at = cellAt(event); answer[at[1]][at[0]] = color; show(); };
    canvas.addEventListener("pointerdown", (event) => { keep(); drawing = true; canvas.setPointerCapture(event.pointerId); paint(event); });
    canvas.addEventListener("pointermove", (event) => { if (drawing) paint(event); });
    canvas.addEventListener("pointerup", () => { drawing = false; });
    canvas.addEventListener("keydown", (event) => {
      const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      const move = moves[event.key];
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (move) at = [(at[0] + move[0] + grid[0].length) % grid[0].length, (at[1] + move[1] + grid.length) % grid.length];
      else if (/^[0-9]$/.test(event.key)) { keep(); color = Number(event.key); answer[at[1]][at[0]] = color; }
      else if (event.key === " ") { keep(); answer[at[1]][at[0]] = color; }
      else if (event.key.toLowerCase() === "c") return copy();
      else if (event.key.toLowerCase() === "z") return back();
      else return;
      event.preventDefault();
      show();
    });
    const buttons = element("p", {},
      element("button", { type: "button", textContent: "Copy the input", onclick: copy }), " ",
      element("button", { type: "button", textContent: "Clear", onclick: clear }), " ",
      element("button", { type: "button", textContent: "Undo", onclick: back }));
    painter.append(element("figure", {}, element("figcaption", { textContent: "Your grid" }), canvas, palette, buttons, said));
    show();
  }

  // ---------------------------------------------------------------- videos
  function watch(tracker) {
    const HUES = ["#ff4136", "#0074d9", "#ffdc00", "#2ecc40", "#f012be", "#ff851b", "#7fdbff", "#aaaaaa", "#b10dc9"];
    const NEAR = 24;  // as the server takes it
    const frames = Number(tracker.dataset.frames), size = Number(tracker.dataset.size), clicking = tracker.dataset.form === "follow";
    const film = new Image();
    const canvas = element("canvas", { width: size, height: size, tabIndex: clicking ? 0 : -1, id: "frame" });
    canvas.setAttribute("role", clicking ? "application" : "img");
    canvas.setAttribute("aria-label", clicking ? "A frame of the video, to be clicked on" : "The video");
    const slider = element("input", { type: "range", min: 0, max: frames - 1, value: 0 });
    const play = element("button", { type: "button", textContent: "Play" });
    const said = element("p", { className: "quiet", role: "status" });
    let timer = null, object = 1, at = [size >> 1, size >> 1], clicks = [], pixels = [];
    function region(frame, x, y) {
      const data = pixels[frame], marked = new Set(), first = 4 * (y * size + x), waiting = [y * size + x];
      const alike = (place) => [0, 1, 2].every((k) => Math.abs(data[4 * place + k] - data[first + k]) <= NEAR);
      while (waiting.length) {
        const place = waiting.pop();
        if (marked.has(place) || !alike(place)) continue;
        marked.add(place);
        const column = place % size;
        if (column) waiting.push(place - 1);
        if (column < size - 1) waiting.push(place + 1);
        if (place >= size) waiting.push(place - size);
        if (place < size * (size - 1)) waiting.push(place + size);
      }
      return marked;
    }
    function show() {
      const frame = Number(slider.value), pen = canvas.getContext("2d");
      pen.drawImage(film, 0, frame * size, size, size, 0, 0, size, size);
      for (const [number, when, x, y] of clicks) if (when === frame) {
        pen.fillStyle = HUES[(number - 1) % HUES.length];
        for (const place of region(frame, x, y)) if ((place + Math.floor(place / size)) % 2) pen.fillRect(place % size, Math.floor(place / size), 1, 1);
      }
      if (clicking) {
        pen.fillStyle = "#000"; pen.fillRect(at[0] - 2, at[1], 5, 1); pen.fillRect(at[0], at[1] - 2, 1, 5);
        pen.fillStyle = "#fff"; pen.fillRect(at[0], at[1], 1, 1);
        document.getElementById("clicks").value = JSON.stringify(clicks);
        for (const button of numbers.children) button.setAttribute("aria-pressed", String(Number(button.value) === object));
      }
      said.textContent = `Frame ${frame + 1} of ${frames}` + (clicking ? `, object ${object}, ${clicks.length} mark${clicks.length === 1 ? "" : "s"}` : "");
    }
    const turn = (by) => { slider.value = (Number(slider.value) + by + frames) % frames; show(); };
    const run = (on) => { clearInterval(timer); timer = on ? setInterval(() => turn(1), 200) : null; play.textContent = on ? "Pause" : "Play"; };
    function mark() {
      const frame = Number(slider.value);
      clicks = clicks.filter(([number, when, x, y]) => when !== frame || !region(frame, x, y).has(at[1] * size + at[0]));
      clicks.push([object, frame, at[0], at[1]]);
      show();
    }
    const numbers = element("div", { className: "palette" });
    numbers.setAttribute("role", "group");
    numbers.setAttribute("aria-label", "Objects");
    HUES.forEach((hue, k) => {
      const button = element("button", { type: "button", value: k + 1, onclick: () => { object = k + 1; show(); } }, element("span", { textContent: k + 1 }));
      button.setAttribute("aria-label", `Object ${k + 1}`);
      button.style.background = hue;
      numbers.append(button);
    });
    if (clicking) {
      canvas.addEventListener("click", (event) => {
        const box = canvas.getBoundingClientRect();
        at = [event.clientX - box.left, event.clientY - box.top].map((value) => Math.max(0, Math.min(size - 1, Math.floor(value / box.width * size))));
        run(false);
        mark();
      });
      canvas.addEventListener("keydown", (event) => {
        const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }, move = moves[event.key];
        if (move) at = [0, 1].map((k) => Math.max(0, Math.min(size - 1, at[k] + move[k] * (event.shiftKey ? 1 : 2))));
        else if (event.key === "Enter" || event.key === " ") mark();
        else if (event.key === "PageDown") turn(1);
        else if (event.key === "PageUp") turn(-1);
        else if (/^[1-9]$/.test(event.key)) object = Number(event.key);
        else return;
        event.preventDefault();
        show();
      });
    }
    play.addEventListener("click", () => run(!timer));
    slider.addEventListener("input", () => { run(false); show(); });
    film.onload = () => {
      const whole = element("canvas", { width: size, height: size * frames }), pen = whole.getContext("2d", { willReadFrequently: true });
      pen.drawImage(film, 0, 0);
      for (let frame = 0; frame < frames; frame++) pixels.push(pen.getImageData(0, frame * size, size, size).data);
      tracker.append(canvas, element("p", {}, play, " ", element("label", {}, "Frame ", slider)), ...(clicking ? [numbers, element("p", {}, element("button", { type: "button", textContent: "Take the last mark back", onclick: () => { clicks.pop(); show(); } }))] : []), said);
      show();
      if (!clicking) run(!matchMedia("(prefers-reduced-motion: reduce)").matches);
    };
    film.src = tracker.dataset.film;
  }

  function attach() {
    const painter = document.getElementById("painter"), tracker = document.getElementById("tracker");
    if (painter) (painter.dataset.told ? compare : paintable)(painter);
    if (tracker) watch(tracker);
  }
  attach();
  window.unseenAnswer = { attach };
})();
