// The one place that sends what people do. A response is kept in the browser until its receipt is acknowledged, so that
// neither a lost connection nor a closed tab loses it.
//   server    this site, which stores each response and says what a person may know after it
//   jatos     a JATOS server: responses are appended to the result of the run
//   datapipe  pipe.jspsych.org: the responses of a person are sent as one file in the end
"use strict";
(function () {
  const PAUSES = [500, 1000, 2000, 5000, 10000];  // milliseconds between tries
  const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));
  const token = () => document.querySelector('meta[name="form-token"]').content;
  function say(text) {
    const bar = document.getElementById("sending");
    bar.textContent = text;
    bar.hidden = !text;
  }
  async function persist(what) {  // until it works; a refusal is final
    for (let tries = 0; ; tries++) {
      try {
        const answer = await what();
        say("");
        return answer;
      } catch (error) {
        if (error.refused) throw error;
        say("The connection is lost. Your last answer is kept, and will be sent as soon as it is back. Please leave this page open.");
        await sleep(PAUSES[Math.min(tries, PAUSES.length - 1)]);
      }
    }
  }
  async function ask(path, options) {
    const answer = await fetch(path, options);
    if (answer.ok) return answer.json();
    const error = new Error(answer.status < 500 ? (await answer.json().catch(() => ({}))).error || answer.statusText : answer.statusText);
    error.refused = answer.status >= 400 && answer.status < 500;
    throw error;
  }
  function server(base) {
    const key = `unseen ${base}`;
    const send = (position, response) => persist(() => ask(`${base}/step/${position}`, {
      method: "POST", headers: { "Content-Type": "application/json", "X-Form-Token": token() }, body: JSON.stringify(response),
    }));
    return {
      state: () => persist(() => ask(`${base}/state`)),
      item: (position) => persist(() => ask(`${base}/item/${position}`)),
      image: (position, number) => `${base}/image/${position}/${number}`,
      async submit(position, response) {
        localStorage.setItem(key, JSON.stringify({ position, response }));
        const known = await send(position, response);
        localStorage.removeItem(key);
        return known;
      },
      async recover() {  // what was answered when the connection or the page was lost
        const kept = localStorage.getItem(key);
        if (!kept) return;
        const { position, response } = JSON.parse(kept);
        try { await send(position, response); } catch (error) { if (!error.refused) throw error; }
        localStorage.removeItem(key);
      },
    };
  }
  // Without a server of ours a folder of files tells the steps, with the right answers, which the page then has to know.
  // Who comes gets the person of the address, `?person=3`, or one by chance.
  function files(pattern, keep) {
    const people = Number(document.getElementById("experiment").dataset.people);
    const asked = new URLSearchParams(location.search).get("person") ?? Math.floor(Math.random() * people);
    const base = pattern.replace("{person}", Number(asked) % people);
    let plan = null, position = 0;
    const load = async () => (plan ??= await persist(() => ask(`${base}/plan.json`)));
    return {
      async state() { const found = await load(); return { ...found.about, position, of: found.steps.length, steps: found.steps.slice(position).map((step) => step.told) }; },
      async item(at) { return (await load()).steps[at].shown; },
      image: (at, number) => `${base}/${plan.steps[at].images[number]}`,
      async submit(at, response) {
        const step = (await load()).steps[at], last = at + 1 === plan.steps.length;
        const again = step.answers !== undefined && JSON.stringify(step.answers) !== JSON.stringify(response.answers);
        if (!again) position = at + 1;
        const row = { person: Number(asked) % people, position: at, again, ...step.about, ...response };
        await persist(() => keep(row, last));
        return { stored: at, again, truth: step.truth, spelled: step.spelled, ...(last ? { code: plan.code, link: plan.link } : {}) };
      },
      async recover() {},
    };
  }
  function jatos(base) {
    let appended = null;
    return files(base, async (row, last) => {
      if (appended !== row) await window.jatos.appendResultData(JSON.stringify(row) + "\n");
      appended = row;
      if (last) await window.jatos.endStudy();
    });
  }
  function datapipe(base, { experiment, pipe }) {
    const rows = [];
    // each visit has a name of its own, so that a file that is there already is this one, whose receipt was lost
    const chance = Array.from(crypto.getRandomValues(new Uint8Array(12)), (one) => one.toString(16).padStart(2, "0")).join("");
    const person = (new URLSearchParams(location.search).get("PROLIFIC_PID") || "person").replace(/[^\w-]/g, "").slice(0, 60);
    return files(base, async (row, last) => {
      if (rows.at(-1) !== row) rows.push(row);
      if (!last) return;
      const data = JSON.stringify(rows);
      const answer = await fetch(pipe, {
        method: "POST", headers: { "Content-Type": "application/json", Accept: "*/*" },
        body: JSON.stringify({ experimentID: experiment, filename: `${person}-${chance}.json`, data }),
      });
      if (answer.ok) return;
      const said = await answer.json().catch(() => ({})), code = said.error || answer.statusText;
      if (/FILE_EXISTS$/.test(code)) return;
      // what it could not pass on to where it stores may work later; other refusals are final, and then the answers must not be lost
      const refused = answer.status < 500 && !/UPLOAD_ERROR$|UPLOAD_EXCEPTION$/.test(code);
      throw Object.assign(new Error(said.message || code), { refused, kept: data });
    });
  }
  window.unseenSubmit = { server, jatos, datapipe };
})();
