internal import CrashModel

/// Counts the stacks and frames of a report while they are read, and those left out.
struct StackCounter {
  private var stacks = 0
  private var leftOutStacks = 0
  private var leftOutFrames = 0

  /// Whether another stack has room.
  mutating func addsStack() -> Bool {
    guard stacks < FormatLimits.stacks else {
      leftOutStacks += 1
      return false
    }
    stacks += 1
    return true
  }

  /// Appends `frame` if it has room.
  mutating func append(_ frame: Frame, to frames: inout [Frame]) {
    if hasRoom(frames) { frames.append(frame) }
  }

  /// Whether another frame has room; one that has not is counted.
  mutating func hasRoom(_ frames: [Frame]) -> Bool {
    guard frames.count < FormatLimits.framesPerStack else {
      leftOutFrames += 1
      return false
    }
    return true
  }

  /// Parts that were left out, a sentence each.
  var notes: [String] {
    var notes: [String] = []
    if leftOutFrames > 0 {
      notes.append(
        "\(leftOutFrames) frames beyond the limit of \(FormatLimits.framesPerStack) a stack were left out"
      )
    }
    if leftOutStacks > 0 {
      notes.append(
        "\(leftOutStacks) stacks beyond the limit of \(FormatLimits.stacks) a report were left out")
    }
    return notes
  }
}
