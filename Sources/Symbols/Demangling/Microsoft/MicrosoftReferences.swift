/// The meanings of digits in a name: the first ten names, and the first ten types of parameters
/// that take more than one letter. Template arguments have their own.
struct MicrosoftReferences {
  private typealias Names = InlineArray<10, (text: NodeText, node: NodeID)>

  private var names = Names(repeating: (NodeText(start: 0, count: 0), .none))
  private var nameCount = 0
  private var types = InlineArray<10, NodeID>(repeating: .none)
  private var typeCount = 0

  /// Compares mangled texts. Equal texts mean the same: the digits in template arguments count from
  /// those arguments on.
  ///
  /// - Parameter text: The mangled name.
  mutating func remember(name: NodeID, _ text: NodeText, in bytes: UnsafePointer<UInt8>) {
    guard nameCount < 10 else { return }
    for index in 0..<nameCount {
      let other = names[index].text
      if other.count == text.count,
        UnsafeBufferPointer(start: bytes + Int(other.start), count: Int(other.count))
          .elementsEqual(
            UnsafeBufferPointer(start: bytes + Int(text.start), count: Int(text.count)))
      {
        return
      }
    }
    names[nameCount] = (text, name)
    nameCount += 1
  }

  mutating func remember(type: NodeID) {
    guard typeCount < 10 else { return }
    types[typeCount] = type
    typeCount += 1
  }

  func name(_ index: Int) -> NodeID? { index < nameCount ? names[index].node : nil }

  func type(_ index: Int) -> NodeID? { index < typeCount ? types[index] : nil }
}
