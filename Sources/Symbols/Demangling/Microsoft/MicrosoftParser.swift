/// Reads a name that Microsoft's C++ compiler, or Clang in its place, gave to a linker.
///
/// Each extension holds a part of the grammar; the comment of a function shows the production that it
/// reads. Microsoft has not published the grammar: this reads what Clang writes and `undname` and LLVM
/// understand.
struct MicrosoftParser: ~Copyable {
  typealias ID = NodeID
  typealias Text = NodeText
  typealias List = NodeList

  let base: UnsafePointer<UInt8>
  let end: Int
  var position = 0

  /// The nodes that were read.
  var tree: MicrosoftTree
  /// Members of lists that are not closed yet.
  private var pending = NodeArray<ID>(capacity: 16)
  var references = MicrosoftReferences()
  private var depth = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int) {
    base = bytes.baseAddress ?? UnsafePointer(bitPattern: 1).unsafelyUnwrapped
    end = bytes.count
    tree = MicrosoftTree(of: base, capacity: end / 2 + 16, limit: limit)
  }

  /// Gives the parts away.
  consuming func finish() -> MicrosoftTree { tree }

  // MARK: Bytes

  var isAtEnd: Bool { position >= end }

  /// The next byte; 0 at the end, which no name holds.
  var next: UInt8 { position < end ? base[position] : 0 }

  func byte(ahead offset: Int) -> UInt8 {
    position + offset < end ? base[position + offset] : 0
  }

  /// The next byte, which is passed.
  mutating func letter() throws(NameRefusal) -> UInt8 {
    guard position < end else { throw .damaged }
    position += 1
    return base[position - 1]
  }

  mutating func take(_ letter: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: letter) else { return false }
    position += 1
    return true
  }

  func isNext(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard end - position >= count else { return false }
    for index in 0..<count where base[position + index] != word.utf8Start[index] { return false }
    return true
  }

  mutating func takeWord(_ word: StaticString) -> Bool {
    guard isNext(word) else { return false }
    position += word.utf8CodeUnitCount
    return true
  }

  mutating func expect(_ letter: Unicode.Scalar) throws(NameRefusal) {
    guard take(letter) else { throw .damaged }
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  /// Hexadecimal digits are the letters from `A` to `P`.
  static func nibble(_ byte: UInt8) -> UInt8? {
    let value = byte &- UInt8(ascii: "A")
    return value < 16 ? value : nil
  }

  /// The bytes up to the next `@`, which is passed.
  mutating func textBeforeAt() throws(NameRefusal) -> Text {
    let start = position
    while position < end, base[position] != UInt8(ascii: "@") { position += 1 }
    guard position < end else { throw .damaged }
    position += 1
    return Text(start: Int32(start), count: Int32(position - 1 - start))
  }

  // MARK: Numbers

  /// Digits beyond 64 bits are lost, as in `undname`.
  ///
  ///     <number> ::= [?] <decimal digit>     # 1 to 10
  ///              ::= [?] <hex digit>* @      # A to P
  mutating func number() throws(NameRefusal) -> (value: UInt64, isNegative: Bool) {
    let isNegative = take("?")
    if Self.isDigit(next) {
      position += 1
      return (UInt64(base[position - 1] - UInt8(ascii: "0")) + 1, isNegative)
    }
    var value: UInt64 = 0
    while let nibble = Self.nibble(next) {
      value = value << 4 | UInt64(nibble)
      position += 1
    }
    try expect("@")
    return (value, isNegative)
  }

  mutating func unsigned() throws(NameRefusal) -> UInt64 {
    let (value, isNegative) = try number()
    guard !isNegative else { throw .damaged }
    return value
  }

  mutating func signed() throws(NameRefusal) -> Int64 {
    let (value, isNegative) = try number()
    guard let magnitude = Int64(exactly: value) else { throw .damaged }
    return isNegative ? -magnitude : magnitude
  }

  /// The low 32 bits of a number.
  mutating func number32<Offset: FixedWidthInteger>() throws(NameRefusal) -> Offset {
    Offset(truncatingIfNeeded: try signed())
  }

  // MARK: Parts

  mutating func add(_ node: MicrosoftNode) -> ID {
    tree.nodes.append(node)
    return ID(index: Int32(truncatingIfNeeded: tree.nodes.count - 1))
  }

  mutating func add(_ function: MicrosoftFunction, isType: Bool) -> ID {
    tree.functions.append(function)
    let index = Int32(truncatingIfNeeded: tree.functions.count - 1)
    return add(isType ? .functionType(index) : .function(index))
  }

  mutating func replace(_ id: ID, by node: MicrosoftNode) { tree.nodes[Int(id.index)] = node }

  func node(_ id: ID) -> MicrosoftNode { tree.nodes[Int(id.index)] }

  /// Starts a list: what `append` adds from here on belongs to it, up to `list(from:)`.
  var mark: Int { pending.count }

  mutating func append(_ id: ID) { pending.append(id) }

  mutating func list(from mark: Int) -> List {
    let start = tree.elements.count
    for index in mark..<pending.count { tree.elements.append(pending[index]) }
    pending.cut(to: mark)
    return List(start: Int32(start), count: Int32(tree.elements.count - start))
  }

  /// The list with its last member first.
  mutating func reversedList(from mark: Int) -> List {
    let start = tree.elements.count
    while pending.count > mark, let id = pending.popLast() { tree.elements.append(id) }
    return List(start: Int32(start), count: Int32(tree.elements.count - start))
  }

  func last(of list: List) -> ID? {
    list.isEmpty ? nil : tree.elements[Int(list.start + list.count - 1)]
  }

  func element(_ index: Int32, of list: List) -> ID { tree.elements[Int(list.start + index)] }

  // MARK: Depth

  mutating func enter() throws(NameRefusal) {
    depth += 1
    guard depth <= NameLimits.depth else { throw .limit }
  }

  mutating func leave() { depth -= 1 }
}
