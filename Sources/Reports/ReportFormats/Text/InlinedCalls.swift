internal import CrashModel

extension [Frame] {
  /// Marks the frames that were printed as expanded inlined calls: such a frame has the address of the next
  /// one and another function or line.
  ///
  /// A recursion repeats addresses too; there the same function comes back, which ends the sequence.
  ///
  /// - Complexity: O(n); a sequence is examined up to a bounded length.
  mutating func markInlinedCalls() {
    var start = 0
    for index in indices.dropFirst() {
      let frame = self[index]
      guard self[index - 1].isAtSameAddress(as: frame) else {
        start = index
        continue
      }
      let sequence = self[Swift.max(start, index - 64)..<index]
      if sequence.contains(where: { $0.function == frame.function && $0.line == frame.line }) {
        start = index
      } else {
        self[index - 1].inlined = true
      }
    }
  }
}

extension Frame {
  fileprivate func isAtSameAddress(as other: Frame) -> Bool {
    guard function != nil, other.function != nil else { return false }
    if let address, let otherAddress = other.address { return address == otherAddress }
    guard let image, let imageOffset else { return false }
    return image == other.image && imageOffset == other.imageOffset
  }
}
