package import CrashModel
internal import CrashService

/// A stack for a terminal: number, function, location.
package struct StackText {
  package let report: CrashReport
  package let width: Int
  package let styles: Styles
  package let isFull: Bool

  package func lines(_ frames: [Frame]) -> [String] {
    let digits = max(2, String(max(0, frames.count - 1)).count)
    return StackOutline(frames, of: report, isFull: isFull).lines.flatMap { line -> [String] in
      if let words = line.words {
        let indent = String(repeating: " ", count: digits + 4)
        return [indent + styles.dim(words.truncated(to: width - indent.count))]
      }
      guard case .frame(let index) = line else { return [] }
      return lines(for: frames[index], index, digits: digits)
    }
  }

  private func lines(for frame: Frame, _ index: Int, digits: Int) -> [String] {
    let text = FrameText(frame, in: report)
    let indent = digits + 4
    let number = String(index).padded(to: digits + 2, right: true) + "  "
    let name = text.name + (text.isInlined ? " (inlined)" : "")
    let beside = text.beside
    let room = width - indent
    if name.columns + (beside.isEmpty ? 0 : beside.columns + 2) <= room {
      let gap = beside.isEmpty ? 0 : room - name.columns - beside.columns
      return [
        styles.dim(number) + styled(name, text) + String(repeating: " ", count: gap)
          + styledLocation(beside, text)
      ]
    }
    let margin = String(repeating: " ", count: indent)
    var lines = name.lines(of: room, atMost: isFull ? .max : 3).enumerated().map { row, part in
      (row == 0 ? styles.dim(number) : margin) + styled(part, text)
    }
    if !beside.isEmpty {
      let cut = beside.truncatedAtStart(to: room - 2)
      let gap = String(repeating: " ", count: room - cut.columns)
      lines.append(margin + gap + styledLocation(cut, text))
    }
    return lines
  }

  private func styled(_ name: String, _ text: FrameText) -> String {
    switch text.isInApp {
    case true: styles.strong(name)
    case false: styles.dim(name)
    default: name
    }
  }

  private func styledLocation(_ location: String, _ text: FrameText) -> String {
    text.isInApp == false || text.location == nil ? styles.dim(location) : styles.location(location)
  }

  package init(report: CrashReport, width: Int, styles: Styles, isFull: Bool) {
    self.report = report
    self.width = width
    self.styles = styles
    self.isFull = isFull
  }
}
