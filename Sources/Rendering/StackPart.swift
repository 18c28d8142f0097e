internal import CrashService
package import CrashModel

/// A stack on a page; what is folded can be opened.
package struct StackPart {
  package let report: CrashReport

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
      <li\(kind)><span class="n">\(index)</span><span>\(text.name)\(inlined)</span>\(place)</li>
      """
  }

  package init(report: CrashReport) {
    self.report = report
  }
}
