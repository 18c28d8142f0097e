package import CrashModel
internal import CrashStore

/// The changes made by reprocessing a report.
package struct ReportDiff {
  /// One position on a stack, which inlined calls share.
  package struct Change {
    package let thread: Int
    /// The index of the first of the frames, before and after.
    package let oldIndex: Int
    package let newIndex: Int
    package let old: [Frame]
    package let new: [Frame]

    package init(thread: Int, oldIndex: Int, newIndex: Int, old: [Frame], new: [Frame]) {
      self.thread = thread
      self.oldIndex = oldIndex
      self.newIndex = newIndex
      self.old = old
      self.new = new
    }
  }

  package struct ImageChange {
    package let image: LoadedImage
    package let old: SymbolStatus?
    package let new: SymbolStatus?

    package init(image: LoadedImage, old: SymbolStatus?, new: SymbolStatus?) {
      self.image = image
      self.old = old
      self.new = new
    }
  }

  package let old: CrashReport
  package let new: CrashReport
  /// Positions whose functions, files or lines changed.
  package let frames: [Change]
  package let images: [ImageChange]

  package init(from old: CrashReport, to new: CrashReport) {
    self.old = old
    self.new = new
    let threads = min(old.threads.count, new.threads.count)
    frames = (0..<threads).flatMap { index in
      Self.changes(old.threads[index].frames, new.threads[index].frames, thread: index)
    }
    images = zip(old.images, new.images).compactMap { one, other in
      one.symbols == other.symbols
        ? nil : ImageChange(image: other, old: one.symbols, new: other.symbols)
    }
  }

  package var isSignatureChanged: Bool { old.signature?.key != new.signature?.key }

  /// Returns the changes by position on the stack; both stacks have the same positions, because only the
  /// symbols have changed.
  private static func changes(_ old: [Frame], _ new: [Frame], thread: Int) -> [Change] {
    let (before, after) = (positions(of: old), positions(of: new))
    return zip(before, after).compactMap { one, other in
      let (left, right) = (Array(old[one]), Array(new[other]))
      guard
        left.count != right.count
          || zip(left, right).contains(where: { !$0.isCalledLike($1) })
      else { return nil }
      return Change(
        thread: thread, oldIndex: one.lowerBound, newIndex: other.lowerBound, old: left,
        new: right)
    }
  }

  /// Returns the positions, each of which ends with a frame that is not an inlined call.
  private static func positions(of frames: [Frame]) -> [Range<Int>] {
    var positions: [Range<Int>] = []
    var start = 0
    for index in frames.indices where !frames[index].inlined {
      positions.append(start..<(index + 1))
      start = index + 1
    }
    if start < frames.count { positions.append(start..<frames.count) }
    return positions
  }
}

extension Frame {
  /// Whether another frame has the same name and line.
  fileprivate func isCalledLike(_ other: Frame) -> Bool {
    function == other.function && symbol == other.symbol && file == other.file
      && line == other.line && column == other.column
  }
}
