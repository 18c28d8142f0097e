internal import CrashService
package import CrashModel

/// A stack on a page; what is folded can be opened.
package struct StackPart {
  package let report: CrashReport
  /// What the addresses of its frames begin with: `t3` of `#t3f7`; `nil` where frames have none, and no more than
  /// their names.
  package var anchor: String?

  package func list(_ frames: [Frame]) -> HTML {
    guard !frames.isEmpty else { return "<p class=\"quiet\">No frames.</p>" }
    var next = 0
    let items = StackOutline(frames, of: report).lines.map { line -> HTML in
      switch line {
      case .frame(let index):
        next = index + 1
        return item(frames[index], index)
      case .system(let count, _):
        let folded = (next..<next + count).map { item(frames[$0], $0) }
        next += count
        return """
          <li class="fold"><details><summary>\(line.words ?? "")</summary>\
          <ol class="stack">\(folded)</ol></details></li>
          """
      case .repeated, .left:
        return "<li class=\"fold\">\(line.words ?? "")</li>"
      }
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
    let place: HTML = beside.isEmpty ? .none : "<span class=\"at\">\(beside)</span>"
    return """
      <li\(kind)\(address(of: index))><span class="n">\(index)</span><span>\(text.name)\(inlined)\(guessed(frame))\(details(of: frame))\
      </span>\(place)</li>
      """
  }

  private func address(of index: Int) -> HTML {
    anchor.map { " id=\"\($0)f\(index)\"" } ?? .none
  }

  /// How a caller was found, where that is less sure than by unwind rules.
  private func guessed(_ frame: Frame) -> HTML {
    guard anchor != nil else { return .none }
    return switch frame.trust {
    case .scan: " <span class=\"tag\">found by scanning</span>"
    case .framePointer: " <span class=\"tag\">by frame pointer</span>"
    default: .none
    }
  }

  /// The name as it was before demangling, the address, and the place in the image.
  private func details(of frame: Frame) -> HTML {
    guard anchor != nil else { return .none }
    var lines: [String] = []
    if let symbol = frame.symbol, symbol != frame.function { lines.append(symbol) }
    var place: [String] = []
    if let address = frame.address { place.append(address.description) }
    if let index = frame.image, report.images.indices.contains(index) {
      place.append(
        report.images[index].name + (frame.imageOffset.map { " + \($0)" } ?? ""))
    }
    if !place.isEmpty { lines.append(place.joined(separator: "  ")) }
    let excerpt =
      frame.source.map { SourceExcerptPart(excerpt: $0, line: frame.line).list } ?? .none
    guard !lines.isEmpty else { return excerpt }
    let words = lines.map { "<div class=\"quiet\">\($0)</div>" as HTML }
    return
      "<details class=\"more\"><summary aria-label=\"More about frame\">…</summary>\(words)</details>\(excerpt)"
  }

  package init(report: CrashReport, anchor: String? = nil) {
    self.report = report
    self.anchor = anchor
  }
}
