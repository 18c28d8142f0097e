package import CrashModel
internal import CrashService

/// A stack as displayed: sequences of uninformative frames are folded into a line.
package struct StackOutline {
  package enum Line: Equatable {
    /// The frame at this position.
    case frame(Int)
    /// System frames, and the images that contain them.
    case system(count: Int, images: [String])
    /// The preceding frames repeated: recursion.
    case repeated(period: Int, times: Int)
    /// Frames left out because there are too many.
    case left(count: Int)
  }

  package let lines: [Line]
  /// The first frame of each of ``lines``.
  package let starts: [Int]

  /// The minimum number of consecutive system frames that are folded.
  package static let shortestFold = 4
  /// The maximum number of frames in a recursion cycle.
  package static let longestCycle = 8
  /// The maximum number of lines.
  package static let mostLines = 128

  /// - Parameter isFull: Whether each frame gets its own line.
  package init(_ frames: [Frame], of report: CrashReport, isFull: Bool = false) {
    guard !isFull else {
      lines = frames.indices.map { .frame($0) }
      starts = Array(frames.indices)
      return
    }
    var lines: [Line] = []
    var starts: [Int] = []
    let hasOwn = frames.contains { $0.inApp == true }
    var index = 0
    while index < frames.count {
      if let (period, times) = Self.recursion(in: frames, at: index) {
        lines += (index..<index + period).map { .frame($0) }
        lines.append(.repeated(period: period, times: times - 1))
        starts += index...index + period
        index += period * times
        continue
      }
      let run = hasOwn ? frames[index...].prefix { $0.inApp == false }.count : 0
      // The first frame shows what the process died of, whoever wrote it.
      let shown = index == 0 ? 1 : 0
      if run - shown >= Self.shortestFold {
        lines += (index..<index + shown).map { .frame($0) }
        let folded = frames[index + shown..<index + run]
        lines.append(.system(count: folded.count, images: Self.images(of: folded, in: report)))
        starts += index...index + shown
        index += run
      } else {
        lines.append(.frame(index))
        starts.append(index)
        index += 1
      }
    }
    if lines.count > Self.mostLines {
      let left = lines.count - Self.mostLines
      let head = Self.mostLines * 3 / 4
      let count = starts[head + left] - starts[head]
      lines.replaceSubrange(head..<head + left, with: [.left(count: count)])
      starts.removeSubrange(head + 1..<head + left)
    }
    self.lines = lines
    self.starts = starts
  }

  /// Returns the cycle that begins at `start` and repeats at least three times, if folding it hides enough.
  private static func recursion(
    in frames: [Frame], at start: Int
  ) -> (period: Int, times: Int)? {
    for period in 1...longestCycle where start + 3 * period <= frames.count {
      var end = start + period
      while end < frames.count, isSame(frames[end], frames[end - period]) { end += 1 }
      let times = (end - start) / period
      if times >= 3 && (times - 1) * period >= 5 { return (period, times) }
    }
    return nil
  }

  private static func isSame(_ left: Frame, _ right: Frame) -> Bool {
    if left.function == nil && left.symbol == nil {
      return left.image == right.image && left.imageOffset == right.imageOffset
        && left.address == right.address
    }
    return left.function == right.function && left.symbol == right.symbol
      && left.line == right.line && left.file == right.file
  }

  private static func images(of frames: ArraySlice<Frame>, in report: CrashReport) -> [String] {
    var names: [String] = []
    for frame in frames {
      guard let name = FrameText(frame, in: report).image, !names.contains(name) else { continue }
      names.append(name)
    }
    return names
  }
}

extension StackOutline.Line {
  /// The text of a line that is not a frame; `nil` for a frame.
  package var words: String? {
    switch self {
    case .frame: return nil
    case .system(let count, let images):
      let owner =
        images.isEmpty ? "of the system" : "in " + images.prefix(4).joined(separator: ", ")
      return "… \(count) frames \(owner)" + (images.count > 4 ? " and others" : "")
    case .repeated(1, let times): return "… the same frame \(times) more times"
    case .repeated(let period, let times):
      return "… these \(period) frames \(times) more \(times == 1 ? "time" : "times")"
    case .left(let count): return "… \(count) frames left out"
    }
  }
}
