package import CrashModel
internal import CrashService
internal import Identifiers

/// A stack on a page; folded frames can be opened.
package struct StackFragment {
  package let report: CrashReport
  /// The prefix of its frames' anchors: `t3` of `#t3f7`; `nil` if frames have none and only show their names.
  package var anchor: String?

  /// The bytes of markup after which frames are only counted: a name may be as long as the report.
  package static let budget = 400_000
  /// The maximum number of a caller's registers shown.
  private static let mostRegisters = 40

  package init(report: CrashReport, anchor: String? = nil) {
    self.report = report
    self.anchor = anchor
  }

  package func list(_ frames: [Frame]) -> HTML {
    guard !frames.isEmpty else { return "<p class=\"quiet\">No frames.</p>" }
    var items: [HTML] = []
    var size = 0
    var shown = 0
    /// Adds frames while there is room for them.
    func add(_ range: Range<Int>) -> [HTML] {
      var added: [HTML] = []
      for index in range where size < Self.budget {
        let item = item(frames[index], index)
        size += item.markup.utf8.count
        added.append(item)
        shown = index + 1
      }
      return added
    }
    let outline = StackOutline(frames, of: report)
    for (line, start) in zip(outline.lines, outline.starts) {
      guard size < Self.budget else { break }
      switch line {
      case .frame(let index): items += add(index..<index + 1)
      case .system(let count, _):
        items.append(
          """
          <li class="fold"><details><summary>\(line.words ?? "")</summary>\
          <ol class="stack">\(add(start..<start + count))</ol></details></li>
          """)
      case .repeated(let period, let times):
        items.append("<li class=\"fold\">\(line.words ?? "")</li>")
        shown = start + period * times
      case .left(let count):
        items.append("<li class=\"fold\">\(line.words ?? "")</li>")
        shown = start + count
      }
    }
    if shown < frames.count {
      let more = GroupText.count(frames.count - shown, "more frame", "more frames")
      items.append("<li class=\"fold\">… \(more)</li>")
    }
    return "<ol class=\"stack\">\(items)</ol>"
  }

  private func item(_ frame: Frame, _ index: Int) -> HTML {
    let text = FrameText(frame, in: report)
    let kind: HTML =
      switch text.isInApp {
      case true: " class=\"own\""
      case false: " class=\"system\""
      default: .none
      }
    let inlined: HTML = text.isInlined ? " <span class=\"tag\">inlined</span>" : .none
    let beside = text.beside
    let location: HTML = beside.isEmpty ? .none : " <span class=\"at\">\(HTML.name(beside))</span>"
    // Inline parts with blanks between them: selected with the mouse, a frame is one line of text.
    return """
      <li\(kind)\(address(of: index))>\(number(index)) <span>\(HTML.name(text.name))\(inlined)\(guessed(frame))</span>\
      \(location)\(details(of: frame, index))</li>
      """
  }

  private func address(of index: Int) -> HTML {
    anchor.map { " id=\"\($0)f\(index)\"" } ?? .none
  }

  private func number(_ index: Int) -> HTML {
    anchor.map {
      "<a class=\"n\" href=\"#\($0)f\(index)\" title=\"Link to frame \(index)\">\(index)</a>"
    }
      ?? "<span class=\"n\">\(index)</span>"
  }

  /// Returns how a caller was found, if that is less certain than by unwind rules.
  private func guessed(_ frame: Frame) -> HTML {
    guard anchor != nil else { return .none }
    return switch frame.trust {
    case .scan, .framePointer, .asyncContext:
      " <span class=\"tag\">\(frame.trust.words ?? "")</span>"
    default: .none
    }
  }

  /// Returns the mangled name, the address, the offset in the image, and other known facts.
  private func details(of frame: Frame, _ index: Int) -> HTML {
    guard anchor != nil else { return .none }
    var lines: [String] = []
    if let symbol = frame.symbol, symbol != frame.function { lines.append(symbol) }
    var facts: [String] = []
    if let address = frame.address { facts.append(address.description) }
    if let image = frame.image, report.images.indices.contains(image) {
      facts.append(
        report.images[image].name + (frame.imageOffset.map { " + \($0)" } ?? ""))
    }
    if let words = frame.trust.words { facts.append(words) }
    if !facts.isEmpty { lines.append(facts.joined(separator: "  ")) }
    if !frame.registers.isEmpty {
      lines.append(
        frame.registers.prefix(Self.mostRegisters)
          .map { "\($0.name) 0x\(String($0.value, radix: 16))" }.joined(separator: "  "))
    }
    let excerpt =
      frame.source.map { SourceExcerptPart(excerpt: $0, line: frame.line).list } ?? .none
    guard !lines.isEmpty else { return excerpt }
    let words = lines.map { "<div class=\"quiet\">\(HTML.name($0))</div>" as HTML }
    return """
      <details class="more"><summary aria-label="More about frame \(index)">…</summary>\(words)</details>\(excerpt)
      """
  }
}
