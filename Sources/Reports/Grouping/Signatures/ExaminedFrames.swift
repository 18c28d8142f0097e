internal import CrashModel

/// The frames of a stack from which a signature takes its functions.
struct ExaminedFrames {
  /// The frames, with repeated turns of a recursion reduced to one.
  let frames: ArraySlice<ClassifiedFrame>
  /// The positions of the frames before that.
  let range: Range<Int>
  /// Index of the frame below which a custom rule ends the walk.
  let lastIndex: Int?

  init(_ stack: [ClassifiedFrame], category: SignatureCategory) {
    let start = Self.start(in: stack)
    let last = stack[start...].firstPosition { $0.dropsBelow }
    range = start..<(last.map { $0 + 1 } ?? stack.endIndex)
    lastIndex = last.map { stack[$0].index }
    frames = Self.withoutCallersOfEntry(Self.collapsed(stack[range], category: category))
  }

  /// The last death frame. The frames above it belong to the process's end. This does not hold below the app's
  /// functions: Rust starts programs and threads in a function of its panics.
  private static func start(in stack: [ClassifiedFrame]) -> Int {
    let app = stack[...].firstPosition { $0.frameClass == .app }
    let base = app.flatMap { app in stack[app...].firstPosition { $0.frameClass == .base } }
    return stack[..<(base ?? stack.endIndex)].lastPosition { $0.dropsAbove } ?? 0
  }

  /// The frames with repeated turns reduced to one. In the report of an error, frames without names in one
  /// image are not turns of a recursion.
  private static func collapsed(
    _ frames: ArraySlice<ClassifiedFrame>, category: SignatureCategory
  ) -> ArraySlice<ClassifiedFrame> {
    if category == .handled,
      frames.contains(where: { $0.isLocated && $0.location?.debugID == nil })
    {
      return frames
    }
    return Recursion.collapsed(frames)
  }

  /// The frames up to the program's first function, if nothing else of the app is known: its callers are
  /// irrelevant to the bug.
  private static func withoutCallersOfEntry(
    _ frames: ArraySlice<ClassifiedFrame>
  ) -> ArraySlice<ClassifiedFrame> {
    guard let entry = frames.firstIndex(where: { $0.isEntry }),
      !frames.contains(where: { $0.frameClass == .app || $0.isLocated })
    else { return frames }
    return frames[...entry]
  }
}
