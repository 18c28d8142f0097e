internal import Bytes
internal import CrashModel

extension Headline.Kind {
  /// `╭──── Traceback (most recent call last) ────╮`
  static let richTraceback = Headline.Kind("rich traceback")
  /// `ValueError        Traceback (most recent call last)`
  static let notebookTraceback = Headline.Kind("notebook traceback")
}

/// Tracebacks as rich draws them, and as IPython and Jupyter print them.
///
///     ╭────────── Traceback (most recent call last) ──────────╮
///     │ /app/tern.py:88 in run                                │
///     │ ❱ 88 │   │   self.till.take(desk)                     │
///     ╰───────────────────────────────────────────────────────╯
///     DeskError: desk 9 is gone
///
///     -------------------------------------------------------
///     DeskError             Traceback (most recent call last)
///     Cell In[3], line 5
///     ----> 5 take(9)
///
///     File /app/tern.py:171, in Till.take(self, desk)
///     --> 171     return self.desks[desk].value
///
///     DeskError: desk 9 is gone
///
/// Sources: `rich/traceback.py`; `IPython/core/ultratb.py`, and output of its versions since 5.
struct PythonBoxes {
  private var blocks: [PythonBlock] = [PythonBlock()]
  private var counter = StackCounter()
  private let isRich: Bool
  private var isInBox = true
  private var isInLocals = false
  private var isComplete = false
  /// The start of a path that continues in the next line.
  private var path = ""
  /// The frame of the line beside the arrow, not added yet.
  private var pending: Frame?
  /// The class that the heading of a notebook's traceback names.
  private var announced: String?
  private var others = 0

  static let mark: StaticString = "Traceback (most recent call last)"

  static let rules = [
    HeadlineRule(.richTraceback, mark, role: .lastWords) { text, mark, lines in
      guard text.has(" ", at: mark - 1), text.has(" ", at: mark + 33) else { return nil }
      let rest = text.between(mark + 34, mark + 40)
      guard rest.has("\u{2500}") || rest.has("--") else { return nil }
      let start = lines.start(of: mark, in: text)
      guard !isConnected(text, start) else { return nil }
      let head = text.between(start, mark)
      guard let box = head.find("\u{256d}") ?? head.find("+-") else { return nil }
      return Headline.Location(start: start + box, content: start + box)
    },
    HeadlineRule(.notebookTraceback, mark, role: .lastWords) { text, mark, lines in
      let start = lines.start(of: mark, in: text)
      let end = text.find(10, from: mark) ?? text.byteCount
      guard mark - start < 256, text.between(mark + 33, end).trimmed.byteCount == 0 else {
        return nil
      }
      let head = text.between(start, mark)
      let from = head.skippingBlanks(from: 0)
      let name = head.from(from).trimmed
      guard head.byteCount >= from + name.byteCount + 2, name.find(32) == nil,
        PythonBlock.looksLikeException(name), !isConnected(text, start)
      else { return nil }
      return Headline.Location(start: start + from, content: start + from)
    },
  ]

  /// Whether a sentence before it connects it with the traceback above.
  private static func isConnected(_ text: RawSpan, _ start: Int) -> Bool {
    let near = text.between(max(0, start - 512), start)
    return PythonParser.connects(near)
  }

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let headline = section.headline
    var parser = PythonBoxes(isRich: headline.kind == .richTraceback)
    parser.begin(text.between(headline.start, headline.line.upperBound).trimmed)
    section.forEachIndentedLine(in: text) { parser.take($0, indentation: $1) }
    return parser.finished().map { LoggedReport(report: $0) }
  }

  private init(isRich: Bool) { self.isRich = isRich }

  private mutating func begin(_ line: RawSpan) {
    flush()
    if blocks.count < 1000, blocks.last?.isEmpty == false { blocks.append(PythonBlock()) }
    isInBox = true
    isInLocals = false
    isComplete = false
    others = 0
    if !isRich { announced = line.upTo(line.find(32) ?? line.byteCount).name }
  }

  /// Takes a line; returns whether another one is wanted.
  private mutating func take(_ line: RawSpan, indentation: Int) -> Bool {
    if line.contains(Self.mark), !line.contains("(most recent call last):") {
      begin(line)
      return true
    }
    if PythonParser.connects(line) {
      isComplete = true
      return true
    }
    if isComplete { return true }
    if blocks[blocks.count - 1].type != nil {
      if line.byteCount == 0 || RunnerLine.isOne(line) {
        isComplete = true
      } else {
        blocks[blocks.count - 1].addWords(line)
      }
      return true
    }
    if isRich { takeRich(line) } else { takeNotebook(line, indentation: indentation) }
    return others < 200
  }

  // MARK: rich

  private mutating func takeRich(_ line: RawSpan) {
    guard isInBox else {
      if line.byteCount > 0, !blocks[blocks.count - 1].readException(line) { isComplete = true }
      return
    }
    if line.has("\u{2570}") || line.has("+--") {
      isInBox = false
      path = ""
      return
    }
    guard line.has("\u{2502}") || line.has("|") else {
      others += 1
      return
    }
    let bar = line.has("|") ? 1 : 3
    var content = line.from(bar)
    if content.ends(with: "\u{2502}") { content = content.upTo(content.byteCount - 3) }
    if content.ends(with: "|") { content = content.upTo(content.byteCount - 1) }
    content = content.trimmed
    if content.has("\u{256d}") { isInLocals = true }
    if isInLocals {
      if content.has("\u{2570}") { isInLocals = false }
      return
    }
    guard content.byteCount > 0, !content.contains("\u{2502}"), !content.has("\u{2771}") else {
      path = ""
      return
    }
    let whole = ByteView((path + content.name).utf8)
    if let frame = Self.richFrame(whole.bytes) {
      blocks[blocks.count - 1].append(frame, counter: &counter)
      path = ""
    } else {
      path = whole.bytes.byteCount < 4096 && !content.byte(0).isDigit ? whole.bytes.name : ""
    }
  }

  /// `/app/tern.py:88 in run`
  private static func richFrame(_ text: RawSpan) -> Frame? {
    guard let mark = text.findLast(" in ") else { return nil }
    let source = SourceLocation(text.upTo(mark))
    let name = text.from(mark + 4).trimmed
    guard let file = source.file, let line = source.line, name.byteCount > 0, name.find(32) == nil
    else { return nil }
    return Frame(position: .adjusted, function: name.name, file: file, line: line)
  }

  // MARK: Notebooks

  private mutating func takeNotebook(_ line: RawSpan, indentation: Int) {
    guard line.byteCount > 0 else { return }
    if indentation == 0, let frame = Self.notebookFrame(line) {
      flush()
      pending = frame
      others = 0
      return
    }
    // `----> 5 take(9)`
    if line.has("-"), let arrow = line.find("> "), arrow < 16 {
      var index = line.skippingBlanks(from: arrow + 1)
      if let number = line.decimal(at: &index), pending?.line == nil {
        pending?.line = Int(exactly: number)
      }
      return
    }
    if indentation == 0, !line.byte(0).isDigit, PythonBlock.looksLikeException(line),
      announced.map({ Self.names($0, line) }) ?? true
    {
      flush()
      _ = blocks[blocks.count - 1].readException(line)
      return
    }
    others += 1
  }

  /// Whether a line names the class, with or without its module.
  private static func names(_ type: String, _ line: RawSpan) -> Bool {
    let name = line.upTo(line.find(UInt8(ascii: ":")) ?? line.byteCount).name
    return name == type || name.hasSuffix("." + type) || type.hasSuffix("." + name)
  }

  private mutating func flush() {
    guard let frame = pending else { return }
    pending = nil
    blocks[blocks.count - 1].append(frame, counter: &counter)
  }

  /// `File /app/tern.py:171, in Till.take(self, desk)`, `Cell In[3], line 5, in take(desk)`, `Input In [3], in
  /// take(desk)`, `/app/tern.py in take(self, desk)`, `<ipython-input-3-ab12> in <module>`.
  private static func notebookFrame(_ line: RawSpan) -> Frame? {
    var frame = Frame(position: .adjusted)
    var rest = line
    if let mark = line.find(", in ") {
      frame.function = function(line.from(mark + 5))
      rest = line.upTo(mark)
    }
    if rest.has("Cell In") || rest.has("Input In") {
      let comma = rest.find(", line ") ?? rest.byteCount
      frame.file = rest.upTo(comma).name
      frame.line = rest.number(after: ", line ").flatMap { Int(exactly: $0) }
      return frame
    }
    if rest.has("File ") {
      let source = SourceLocation(rest.from(5))
      guard let file = source.file, source.line != nil || frame.function != nil else { return nil }
      frame.file = file
      frame.line = source.line
      return frame
    }
    guard frame.function == nil, let mark = line.find(" in "), mark > 0 else { return nil }
    let file = line.upTo(mark)
    guard
      file.has("/") || file.has("~") || file.has("<ipython-input-") || file.byteOrZero(1) == 0x3A
        || file.ends(with: ".py")
    else { return nil }
    frame.file = file.name
    frame.function = function(line.from(mark + 4))
    return frame
  }

  /// The function as in Python's own tracebacks: without arguments and classes.
  private static func function(_ text: RawSpan) -> String? {
    let name = text.trimmed
    if name.has("<module") || name.has("<cell line") { return "<module>" }
    let end = name.find(UInt8(ascii: "(")) ?? name.byteCount
    let last = name.upTo(end).name.split(separator: ".").last.map(String.init)
    return last?.isEmpty == false ? last : nil
  }

  private consuming func finished() -> CrashReport? {
    flush()
    guard
      let exception = LanguageException.chain(
        blocks.reversed().filter { !$0.isEmpty }.map { $0.exception() })
    else { return nil }
    var report = CrashReport(format: .pythonTraceback)
    var surfaced = exception
    if surfaced.type == nil {
      surfaced.type = announced
      if announced == nil {
        report.notes.append("the report is cut off: the exception is missing")
      }
    }
    report.reason.exception = surfaced
    report.reason.type = surfaced.type
    report.reason.message = surfaced.message
    report.notes += counter.notes
    return report
  }
}
