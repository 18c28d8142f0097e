// Completes the query: a combobox with a list of suggestions from the store below it.
(function () {
  var field = document.querySelector("main input[data-complete]") || document.querySelector("input[data-complete]");
  if (!field) return;
  var list = document.createElement("ul");
  var status = document.createElement("span");
  var items = [], current = -1, timer = 0, number = 0;
  list.id = "completions";
  list.className = "completions";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  status.className = "hidden";
  status.setAttribute("role", "status");
  field.setAttribute("role", "combobox");
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-expanded", "false");
  field.setAttribute("aria-controls", list.id);
  var place = field.closest("label");
  place.classList.add("completed");
  place.after(status);
  place.append(list);

  // The word at the caret: the text between unquoted spaces.
  function word() {
    var text = field.value, caret = field.selectionStart, start = 0, quoted = false;
    for (var i = 0; i < caret; i++) {
      if (text[i] === "\"" && text[i - 1] !== "\\") quoted = !quoted;
      else if (/\s/.test(text[i]) && !quoted) start = i + 1;
    }
    var end = caret;
    while (end < text.length && (quoted || !/\s/.test(text[end]))) end++;
    return { start: start, end: end, text: text.slice(start, caret) };
  }

  function close() {
    number++;
    clearTimeout(timer);
    list.hidden = true;
    current = -1;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  }

  function mark(index) {
    if (list.children[current]) list.children[current].setAttribute("aria-selected", "false");
    current = index;
    var option = list.children[index];
    if (!option) return field.removeAttribute("aria-activedescendant");
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", option.id);
  }

  function show(found) {
    items = found;
    current = -1;
    list.textContent = "";
    field.removeAttribute("aria-activedescendant");
    found.forEach(function (item, index) {
      var option = document.createElement("li"), meaning = document.createElement("span");
      option.id = "completion-" + index;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      option.textContent = item.text;
      meaning.className = "quiet";
      meaning.textContent = item.meaning;
      option.append(" ", meaning);
      option.addEventListener("mousedown", function (event) {
        event.preventDefault();
        take(index);
      });
      list.append(option);
    });
    list.hidden = !found.length;
    field.setAttribute("aria-expanded", String(found.length > 0));
    status.textContent = found.length ? found.length + " suggestions" : "";
  }

  function ask() {
    var asked = ++number;
    fetch("/complete?word=" + encodeURIComponent(word().text), { redirect: "error" }).then(function (answer) {
      return answer.ok ? answer.json() : { items: [] };
    }).then(function (answer) {
      if (asked === number && document.activeElement === field) show(answer.items);
    }).catch(close);
  }

  function take(index) {
    var part = word(), text = items[index].text;
    // After a field or an operator, a value follows.
    var isOpen = /[:<>=]$/.test(text), space = isOpen || field.value[part.end] === " " ? "" : " ";
    field.value = field.value.slice(0, part.start) + text + space + field.value.slice(part.end);
    var caret = part.start + text.length + space.length;
    field.setSelectionRange(caret, caret);
    close();
    if (isOpen) ask();
  }

  field.addEventListener("input", function () {
    clearTimeout(timer);
    timer = setTimeout(ask, 120);
  });
  field.addEventListener("blur", close);
  field.addEventListener("keydown", function (event) {
    var isOpen = !list.hidden;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!isOpen) return ask();
      var step = event.key === "ArrowDown" ? 1 : -1, count = items.length;
      mark((current + step + count + (current < 0 && step < 0 ? 1 : 0)) % count);
    } else if (event.key === "Enter" && isOpen && current >= 0) {
      event.preventDefault();
      take(current);
    } else if (event.key === "Escape" && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  });
})();

// A checkbox that selects all rows, and the number of selected rows. Without any, the buttons are disabled.
(function () {
  var form = document.getElementById("several");
  if (!form) return;
  var boxes = Array.prototype.slice.call(document.querySelectorAll("input[form=several]"));
  var all = document.createElement("input"), count = document.createElement("span"), label = document.createElement("label");
  // All but the one that Enter in a field would press.
  var buttons = form.querySelectorAll("button:not([hidden])");
  all.type = "checkbox";
  all.setAttribute("aria-label", "Select all on this page");
  count.className = "quiet";
  count.setAttribute("role", "status");
  function tell() {
    var ticked = boxes.filter(function (box) { return box.checked; }).length;
    all.checked = ticked > 0 && ticked === boxes.length;
    all.indeterminate = ticked > 0 && ticked < boxes.length;
    count.textContent = ticked ? ticked + " selected" : "";
    buttons.forEach(function (button) { button.disabled = ticked === 0; });
  }
  all.addEventListener("change", function () {
    boxes.forEach(function (box) { box.checked = all.checked; });
    tell();
  });
  boxes.forEach(function (box) { box.addEventListener("change", tell); });
  // Not in the table head, which phones hide.
  label.append(all, " All");
  form.prepend(label);
  form.append(count);
  // Going back in the browser may bring ticks back.
  window.addEventListener("pageshow", tell);
  tell();
})();

// [ and ] move to the previous and next group of the list that led to this one.
(function () {
  try {
    var links = Array.prototype.slice.call(document.querySelectorAll("table.groups a.signature"));
    if (document.querySelector("table.groups")) {
      sessionStorage.setItem("groups", JSON.stringify(links.map(function (link) { return link.pathname; })));
      return;
    }
    if (!document.querySelector("[data-group]")) return;
    var paths = JSON.parse(sessionStorage.getItem("groups") || "[]"), here = paths.indexOf(location.pathname);
    if (here < 0) return;
    document.addEventListener("keydown", function (event) {
      if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
      var next = event.key === "[" ? paths[here - 1] : event.key === "]" ? paths[here + 1] : null;
      if (next && next.indexOf("/groups/") === 0) location.assign(next);
    });
  } catch (error) {
    // Without session storage, the keys do nothing.
  }
})();
