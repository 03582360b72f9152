// A study as a timeline of jsPsych, made from the steps that are left. Each response is sent and acknowledged before the
// next step, so that whoever comes back goes on where they were.
"use strict";
(async function () {
  const root = document.getElementById("experiment");
  const { base, submit: kind = "server" } = root.dataset;
  const site = window.unseenSubmit[kind](base, root.dataset);
  document.body.classList.add("experiment");
  await site.recover();
  const study = await site.state();
  const html = (text) => { const made = document.createElement("div"); made.textContent = text; return made.innerHTML; };
  const attribute = (value) => html(JSON.stringify(value)).replaceAll('"', "&quot;");
  const paragraphs = (text) => text.split(/\n\s*\n/).map((one) => `<p>${html(one)}</p>`).join("");
  const jsPsych = initJsPsych({ display_element: root, on_finish: () => {} });
  let known = {}, fixated = null, item = null;

  const button = (text, words = "Continue", more = {}) => ({ type: jsPsychHtmlButtonResponse, stimulus: text, choices: [words], button_html: (one) => `<button class="jspsych-btn main" autofocus>${one}</button>`, ...more });
  const send = (position, response) => ({
    type: jsPsychCallFunction, async: true,
    func: (done) => site.submit(position, response()).then((answer) => { known = answer; done(answer); }, stop),
  });
  const last = () => jsPsych.data.get().filterCustom((row) => "response" in row).last(1).values()[0];
  // jsPsych writes a question above its field; those who hear the page must hear which belongs to which
  const labelled = (prompts) => () => root.querySelectorAll("textarea, input[type=text]").forEach((one, k) => one.setAttribute("aria-label", prompts[k]));
  function stop({ message, kept }) {
    jsPsych.abortExperiment(`<p class="lead">${html(message)}</p>${kept ? "<p>Your answers could not be stored. Please keep them, and send them to whoever runs this study.</p><p><a class=\"button main\" download=\"answers.json\" href=\"data:application/json," + encodeURIComponent(kept) + "\">Save my answers</a></p>" : ""}`);
  }
  const images = (position, count) => Array.from({ length: count }, (_, k) => site.image(position, k));
  const four = (position, mark = () => "") => (one, k) => `<button class="four-choice ${mark(k)}"><img src="${site.image(position, k)}" alt="Image ${k + 1}${mark(k) === "odd" ? ", the right one" : ""}"></button>`;
  function digits() {  // the keys 1 to 4 choose, too
    const buttons = [...root.querySelectorAll(".four-choice")];
    const press = (event) => { if (buttons[0].isConnected) buttons[Number(event.key) - 1]?.click(); else document.removeEventListener("keydown", press); };
    document.addEventListener("keydown", press);
  }
  // a form of ours in a page of jsPsych's: its fields become the response
  function fields(inside, read) {
    return {
      type: jsPsychHtmlButtonResponse, choices: ["Continue"],
      stimulus: () => `<form id="fields" autocomplete="off">${typeof inside === "function" ? inside() : inside}</form>`,
      button_html: (one) => `<button class="jspsych-btn main" id="go">${one}</button>`,
      on_load: () => {
        window.unseenAnswer.attach();
        const form = document.getElementById("fields"), go = document.getElementById("go");
        form.addEventListener("submit", (event) => { event.preventDefault(); go.click(); });
        // before jsPsych hears of it, and only if all is answered
        go.parentElement.addEventListener("click", (event) => {
          if (study.simulate) form.querySelectorAll("fieldset").forEach((one) => { one.querySelector("input").checked = true; });
          if (study.simulate) form.querySelectorAll("textarea, input[name=answer], input[name=count]").forEach((one) => { one.value ||= one.type === "number" ? "2" : "simulated"; });
          if (!form.reportValidity()) { event.stopPropagation(); event.preventDefault(); return; }
          item = { ...item, given: read(new FormData(form)) };
        }, true);
      },
    };
  }
  const radio = (name, legend, options) => `<fieldset><legend>${html(legend)}</legend>${options.map(([value, words]) => `<label><input type="radio" name="${name}" value="${value}" required> ${html(words)}</label>`).join("")}</fieldset>`;
  const area = (name, words, needed, most = 2000) => `<p><label for="area">${html(words)}</label></p><p><textarea id="area" name="${name}" rows="4" maxlength="${most}"${needed ? " required" : ""}></textarea></p>`;
  const question = () => `<p class="lead">${html(item.text)}</p><p class="pictures">${images(item.position, item.images).map((one, k) => `<img src="${one}" alt="Image ${k + 1}">`).join("")}</p>`;
  const fetched = (position) => ({ type: jsPsychCallFunction, async: true, func: (done) => site.item(position).then((found) => { item = { ...found, position }; done(); }, stop) });
  const loaded = (position) => [
    fetched(position),
    { type: jsPsychPreload, images: () => images(position, item.images), show_progress_bar: false, message: "<p>One moment, please.</p>" },
  ];
  const asked = (position, inside, read) => [
    ...loaded(position),
    fields(() => question() + inside(), read),
    send(position, () => ({ ...item.given, rt: last().rt })),
  ];

  // ---------------------------------------------------------------- trials
  // Each form of an item: what asks for it, and what is shown when the right answer is known.
  const fixation = {
    type: jsPsychHtmlButtonResponse, stimulus: "<p class=\"quiet before-fixation\">Move your cursor onto the square.</p>", choices: ["+"],
    button_html: () => "<button class=\"fixation\" aria-label=\"Show the item\">+</button>",
    on_load: () => { const square = root.querySelector(".fixation"); square.addEventListener("mousemove", () => square.click(), { once: true }); square.focus({ preventScroll: true }); },
    on_finish: (data) => { fixated = data.rt; },
  };
  const choose = (above) => ({
    ask: (at) => ({ type: jsPsychHtmlButtonResponse, stimulus: () => above(at), choices: ["1", "2", "3", "4"], button_layout: "grid", grid_rows: 2, grid_columns: 2, button_html: four(at), on_load: digits, on_finish: (data) => { item.given = { choice: data.response }; } }),
    tell: (at) => {
      const { choice } = item.given, right = known.truth === choice;
      const mark = (k) => (k === known.truth ? "odd" : k === choice ? "missed" : "");
      return `<p role="status" class="${right ? "right" : "wrong"}">${right ? "Right" : "Wrong: the one with the green frame"}</p><div class="choices centered">${[0, 1, 2, 3].map((k) => four(at, mark)("", k).replace("<button", "<button disabled")).join("")}</div>`;
    },
  });
  const verdict = (right, yours) => `<p role="status" class="lead ${right ? "right" : "wrong"}">${right ? "Right" : "Wrong"}</p><p>The right answer: <strong>${html(known.spelled)}</strong>. Yours: <strong>${html(yours)}</strong>.</p>`;
  const tracker = (at, form) => `<div class="tracker" id="tracker" data-film="${site.image(at, 0)}" data-frames="${item.frames}" data-size="${item.size}" data-form="${form}"></div>`;
  const words = () => item.words.map(([name, about]) => `<p><code>${html(name)}</code>: ${html(about)}</p>`).join("");
  const FORMS = {
    odd: choose(() => "<p>Which one is the odd one out?</p>"),
    choose: choose((at) => {
      const picture = (k, about) => `<img src="${site.image(at, k)}" alt="${about}">`, first = item.images - 2 * item.solved;
      const solved = Array.from({ length: item.solved }, (_, k) => `<p class="pictures small">${picture(first + 2 * k, `Solved image ${k + 1}`)} → ${picture(first + 2 * k + 1, `The image that follows solved image ${k + 1}`)}</p>`).join("");
      return `<p>A hidden rule turns an image into the next one, as here:</p><div class="solved">${solved}</div><p class="pictures small">${picture(4, "The image that comes first")} → ?</p><p>Which one comes next?</p>`;
    }),
    question: {
      ask: () => fields(() => `${question()}<p><label>Your answer <input name="answer" maxlength="200" required autofocus></label></p><p class="quiet">A word or a number; true or false where the answer is yes or no.</p>`, (data) => ({ answer: data.get("answer") })),
      tell: () => verdict(item.given.answer.trim().toLowerCase() === known.truth.toLowerCase(), item.given.answer),
    },
    grid: {
      ask: () => fields(() => `<p>Paint the grid that results.</p><p class="lead">${html(item.text)}</p>${words()}<div class="painter" id="painter" data-item="${attribute(item.painting)}"></div><input type="hidden" name="grid" id="grid"><p class="quiet">Choose a color, then click or draw. With the keyboard: arrows move, 0 to 9 paint, C copies the input, Z takes the last step back.</p>`, (data) => ({ grid: JSON.parse(data.get("grid")) })),
      tell: () => {
        const right = JSON.stringify(item.given.grid) === JSON.stringify(known.truth);
        return `<p role="status" class="lead ${right ? "right" : "wrong"}">${right ? "Right" : "Wrong"}</p><div class="painter" id="painter" data-told="${attribute({ ...item.painting, grid: item.given.grid, truth: known.truth })}"></div>`;
      },
    },
    count: {
      ask: (at) => fields(() => `<p>How many different objects does the video show?</p>${tracker(at, "count")}<p><label>Number of objects <input name="count" type="number" min="0" max="255" required></label></p>`, (data) => ({ count: Number(data.get("count")) })),
      tell: () => verdict(item.given.count === known.truth, String(item.given.count)),
    },
    follow: {
      ask: (at) => fields(() => `<p>Click on every object in every frame: one number for each object, which it keeps.</p>${tracker(at, "follow")}<input type="hidden" name="clicks" id="clicks" value="[]"><p class="quiet">What has the color under a click is marked; where an object has a pattern, click on each part. With the keyboard, when the picture has the focus: arrows move the cross, Enter marks, Page up and Page down change the frame, 1 to 9 choose the object.</p>`, (data) => ({ clicks: JSON.parse(data.get("clicks")) })),
      tell: () => `<p class="lead">The video shows ${html(known.spelled)}; you marked ${new Set(item.given.clicks.map(([object]) => object)).size}.</p>`,
    },
  };
  const trial = (step, at) => [
    ...loaded(at),
    ...(study.fixation ? [fixation] : []),
    FORMS[step.kind].ask(at),
    send(at, () => ({ ...item.given, rt: last().rt, ...(study.fixation ? { fixation: fixated } : {}) })),
    ...(steps[at - study.position + 1]?.kind === "confidence" ? [] : feedback(at, step.kind)),
  ];
  const feedback = (at, form) => [{
    timeline: [button(() => FORMS[form].tell(at), "Continue", { on_load: window.unseenAnswer.attach })],
    conditional_function: () => known.spelled !== undefined && Boolean(item?.given),  // who came back before the end of a trial is not told
  }];

  const STEPS = {
    consent: (step, at) => [
      { type: jsPsychHtmlButtonResponse, stimulus: `<div class="text"><h2>Before you begin</h2>${paragraphs(step.text)}</div>`, choices: ["I agree", "I do not agree"], button_html: (one, k) => `<button class="jspsych-btn ${k ? "" : "main"}">${one}</button>`, simulation_options: { data: { response: 0 } } },
      { timeline: [{ type: jsPsychCallFunction, func: () => stop({ message: "You did not agree, so nothing was stored. You can close this page." }) }], conditional_function: () => last().response !== 0 },
      send(at, () => ({ agreed: last().response === 0 })),
    ],
    instructions: (step, at) => [
      { type: jsPsychInstructions, pages: step.pages.map((one) => `<p class="lead text">${html(one)}</p>`), show_clickable_nav: true, button_label_previous: "Back", button_label_next: "Next" },
      send(at, () => ({})),
    ],
    quiz: (step, at) => [{
      timeline: [
        fields(`<h2>A few questions first</h2>${step.questions.map((one, k) => radio(`q${k}`, one.question, one.options.map((words, n) => [n, words]))).join("")}`,
          (data) => ({ answers: step.questions.map((_, k) => Number(data.get(`q${k}`))) })),
        send(at, () => item.given),
        { timeline: [button("<p class=\"lead\">Not all of your answers were right. Please read the questions once more.</p>")], conditional_function: () => known.again === true },
      ],
      loop_function: () => known.again === true && !study.simulate,
    }],
    announce: (step, at) => [button(`<p class="lead">${html(step.text)}</p>`), send(at, () => ({}))],
    pause: (step, at) => [button(`<p class="lead">${html(step.text)}</p>`), send(at, () => ({}))],
    ...Object.fromEntries(Object.keys(FORMS).map((form) => [form, trial])),
    confidence: (step, at) => [
      { type: jsPsychHtmlSliderResponse, stimulus: "<p class=\"lead\">How sure were you?</p><p class=\"sure\" aria-hidden=\"true\"></p>", labels: ["0", "50", "100"], min: 0, max: 100, slider_start: 50, require_movement: true, button_label: "Continue",
        on_load: () => { const slider = root.querySelector("input[type=range]"); slider.setAttribute("aria-label", "How sure you were, from 0 to 100"); slider.addEventListener("keydown", () => slider.dispatchEvent(new Event("change"))); slider.addEventListener("input", () => { root.querySelector(".sure").textContent = slider.value; }); slider.focus({ preventScroll: true }); } },
      send(at, () => ({ confidence: Math.round(last().response), rt: last().rt })),
      ...(at > study.position ? feedback(at - 1, steps[at - study.position - 1].kind) : []),
    ],
    describe: (step, at) => [
      { type: jsPsychSurveyText, questions: [{ prompt: html(step.text), name: "text", rows: 4, columns: 50, required: true }], button_label: "Continue", on_load: labelled([step.text]) },
      send(at, () => ({ text: last().response.text, rt: last().rt })),
    ],
    validate: (step, at) => asked(at,
      () => `<p>Its answer is said to be: <strong>${html(item.answer)}</strong></p>` + radio("verdict", "What do you say?", [["right", "The question can be answered, and this answer is right."], ["wrong", "The question can be answered, but this answer is wrong."], ["unanswerable", "The question cannot be answered from these images."]]) + area("comment", "Anything to add? You may leave this out.", false),
      (data) => ({ answerable: data.get("verdict") !== "unanswerable", right: data.get("verdict") === "unanswerable" ? null : data.get("verdict") === "right", comment: data.get("comment") })),
    paraphrase: (step, at) => asked(at, () => area("text", "The same question in your own words", true), (data) => ({ text: data.get("text") })),
    check: (step, at) => asked(at,
      () => `<p>In other words: <strong>${html(item.paraphrase)}</strong></p>` + radio("same", "Does it ask the same?", [["yes", "Yes, both have the same answer."], ["no", "No."]]) + radio("good", "Is it good English?", [["yes", "Yes."], ["no", "No."]]),
      (data) => ({ same: data.get("same") === "yes", good: data.get("good") === "yes" })),
    about: (step, at) => [
      { type: jsPsychSurveyText, preamble: "<h2>About you</h2>", questions: step.questions.map((one) => ({ prompt: html(one.question), name: one.name, required: one.required })), button_label: "Continue", on_load: labelled(step.questions.map((one) => one.question)) },
      send(at, () => ({ facts: last().response })),
    ],
    debriefing: (step, at) => [button(`<div class="text"><h2>The end</h2>${paragraphs(step.text)}</div>`, "Finish"), send(at, () => ({}))],
  };
  function end() {
    const link = known.link || study.link, code = known.code || study.code;
    root.innerHTML = `<h2>Thank you</h2><p class="lead">All your answers are stored. Your completion code:</p><p class="lead"><code id="code">${html(code)}</code></p>${link ? `<p><a class="button main" href="${html(link)}">Go back with it</a></p>` : ""}`;
  }

  const steps = study.steps;
  if (!steps.length) return end();
  const check = { type: jsPsychBrowserCheck, minimum_width: study.least_width, minimum_height: 400, skip_features: ["webaudio", "microphone", "camera", "vsync_rate"] };
  const timeline = [check, ...steps.flatMap((step, k) => STEPS[step.kind](step, study.position + k))];
  if (study.simulate) await jsPsych.simulate(timeline, "visual", { default: { data: { rt: 20 } } });
  else await jsPsych.run(timeline);
  if (known.code) end();
})();
