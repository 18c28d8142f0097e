/// Prints a parsed name, in full as LLVM's tools do or as names of other compilers are printed.
///
/// A type is printed in two parts, around what it is the type of: `int (*` and `)[3]`. The extensions
/// hold the symbols, the names and the types.
struct MicrosoftPrinter: ~Copyable {
  typealias ID = NodeID
  typealias List = NodeList

  private var tree: MicrosoftTree
  var output: ByteOutput
  /// Whether types are spelled as Microsoft's tools do: `class A const *`, `__int64`.
  private(set) var isMicrosoft: Bool
  /// Whether access, `static`, `virtual`, conventions and results are printed.
  private(set) var isFull: Bool
  /// Whether the results of functions are printed: always within a pointer to one.
  var hasResults: Bool
  private var depth = 0
  private var visits = 0

  init(_ tree: consuming MicrosoftTree, as style: MicrosoftDemangler.Style, limit: Int) {
    self.tree = tree
    output = ByteOutput(limit: limit)
    isMicrosoft = style == .full || style == .symbolizer
    isFull = style == .full
    hasResults = isFull
  }

  // MARK: Steps

  mutating func enter() throws(NameRefusal) {
    depth += 1
    visits += 1
    guard depth <= NameLimits.depth, visits <= NameLimits.visits else { throw .limit }
  }

  mutating func leave() { depth -= 1 }

  func node(_ id: ID) -> MicrosoftNode { tree.nodes[Int(id.index)] }

  func function(_ index: Int32) -> MicrosoftFunction { tree.functions[Int(index)] }

  func element(_ list: List, _ index: Int32) -> ID { tree.elements[Int(list.start + index)] }

  /// LLVM prints in full what it has printed once before it prints the whole: functions around local
  /// names, and templates that digits stand for.
  mutating func inFull(
    _ body: (inout MicrosoftPrinter) throws(NameRefusal) -> Void
  ) throws(NameRefusal) {
    let outer = (isFull, hasResults)
    if isMicrosoft { (isFull, hasResults) = (true, true) }
    try body(&self)
    (isFull, hasResults) = outer
  }

  // MARK: Text

  mutating func text(_ text: NodeText) throws(NameRefusal) {
    try output.append(tree.bytes + Int(text.start), Int(text.count))
  }

  mutating func string(_ text: NodeText) throws(NameRefusal) {
    guard text.count > 0, let start = tree.strings.bytes.baseAddress else { return }
    try output.append(start + Int(text.start), Int(text.count))
  }

  func starts(_ text: NodeText, with prefix: StaticString) -> Bool {
    guard Int(text.count) >= prefix.utf8CodeUnitCount else { return false }
    for index in 0..<prefix.utf8CodeUnitCount
    where tree.bytes[Int(text.start) + index] != prefix.utf8Start[index] { return false }
    return true
  }

  mutating func number(_ value: UInt64) throws(NameRefusal) {
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var start = digits.count
    var rest = value
    repeat {
      start -= 1
      digits[start] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    } while rest > 0
    while start < digits.count {
      try output.append(digits[start])
      start += 1
    }
  }

  mutating func number(_ value: Int64) throws(NameRefusal) {
    if value < 0 { try output.append("-") }
    try number(value.magnitude)
  }

  /// A space after a word.
  mutating func separate() throws(NameRefusal) {
    let last = output.last
    switch last {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: ">"):
      try output.append(" ")
    default: break
    }
  }

  /// An optimiser's suffix of a name: `.cold`.
  mutating func suffix(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) throws(NameRefusal) {
    try output.append(" (")
    for byte in bytes { try output.append(byte) }
    try output.append(")")
  }
}
