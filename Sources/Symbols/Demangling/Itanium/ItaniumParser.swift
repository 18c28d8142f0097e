/// Reads a name of the Itanium C++ ABI into a flat array of parts.
///
/// Each extension covers a part of the grammar; the comment of a function shows the production that
/// it reads. Where the ABI leaves a choice or its document lags behind the compilers, this reads
/// the output of Clang and GCC.
///
/// Source: https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling
struct ItaniumParser: ~Copyable {
  typealias ID = ItaniumNode.ID
  typealias List = ItaniumNode.List

  let base: UnsafePointer<UInt8>
  let end: Int
  var position = 0

  /// The nodes that were read.
  var tree: ItaniumTree

  /// The meanings of `S_`, `S0_` ...
  var substitutions = NodeArray<ID>(capacity: 32)
  /// Members of lists that are not closed yet.
  private var pending = NodeArray<ID>(capacity: 16)
  var templates = ItaniumTemplateScopes()
  /// How many invented parameters of each kind were named.
  var inventedCounts: (type: Int32, value: Int32, template: Int32) = (0, 0, 0)
  /// Occurrences of `T_` before the arguments that they refer to.
  var forwards = NodeArray<ID>(capacity: 1)
  var permitsForwards = false
  /// Whether `I` after a template parameter or a substitution starts its arguments. It does not in
  /// the type of a conversion operator, whose own arguments follow.
  var takesTemplateArguments = true
  /// Whether to resolve ambiguities the way older versions of GCC wrote names, and whether one
  /// occurred.
  let readsOlderNames: Bool
  var hasTwoReadings = false
  /// Whether a requires-clause is being read.
  var isInConstraint = false
  /// The level whose parameters a lambda's `auto` has invented; -1 outside of lambdas.
  var lambdaLevel = -1
  private var depth = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, readsOlderNames: Bool = false) {
    self.readsOlderNames = readsOlderNames
    base = bytes.baseAddress ?? UnsafePointer(bitPattern: 1).unsafelyUnwrapped
    end = bytes.count
    tree = ItaniumTree(of: base, capacity: end / 2 + 16)
  }

  /// Returns the parsed tree.
  consuming func finish() -> ItaniumTree { tree }

  // MARK: Bytes

  var isAtEnd: Bool { position >= end }

  /// The next byte; 0 at the end, which no name holds.
  var next: UInt8 { position < end ? base[position] : 0 }

  func byte(ahead offset: Int) -> UInt8 {
    position + offset < end ? base[position + offset] : 0
  }

  mutating func take(_ letter: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: letter) else { return false }
    position += 1
    return true
  }

  mutating func take(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: first), byte(ahead: 1) == UInt8(ascii: second) else { return false }
    position += 2
    return true
  }

  mutating func takeWord(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard end - position >= count else { return false }
    for index in 0..<count where base[position + index] != word.utf8Start[index] { return false }
    position += count
    return true
  }

  mutating func expect(_ letter: Unicode.Scalar) throws(NameRefusal) {
    guard take(letter) else { throw .damaged }
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  // MARK: Numbers

  /// The digits that follow, with a preceding `n`.
  ///
  ///     <number> ::= [n] <non-negative decimal integer>
  mutating func number(signed: Bool = false) -> ItaniumNode.Text {
    let start = position
    if signed { _ = take("n") }
    guard Self.isDigit(next) else {
      position = start
      return ItaniumNode.Text(start: Int32(start), count: 0)
    }
    while Self.isDigit(next) { position += 1 }
    return ItaniumNode.Text(start: Int32(start), count: Int32(position - start))
  }

  /// A number that counts or points into the name; a value larger than the name's length is damage.
  mutating func count() throws(NameRefusal) -> Int {
    guard Self.isDigit(next) else { throw .damaged }
    var value = 0
    while Self.isDigit(next) {
      value = value * 10 + Int(next - UInt8(ascii: "0"))
      guard value <= 1 << 24 else { throw .damaged }
      position += 1
    }
    return value
  }

  /// An index: `_` is 0, `0_` is 1, `1_` is 2 and so on.
  mutating func indexAfterUnderscore() throws(NameRefusal) -> Int {
    if take("_") { return 0 }
    let value = try count() + 1
    try expect("_")
    return value
  }

  // MARK: Parts

  mutating func add(_ node: ItaniumNode) -> ID {
    tree.nodes.append(node)
    return ID(index: Int32(truncatingIfNeeded: tree.nodes.count - 1))
  }

  mutating func add(_ function: ItaniumFunction, isType: Bool) -> ID {
    tree.functions.append(function)
    let index = Int32(truncatingIfNeeded: tree.functions.count - 1)
    return add(isType ? .functionType(index) : .function(index))
  }

  mutating func add(_ closure: ItaniumClosure) -> Int32 {
    tree.closures.append(closure)
    return Int32(truncatingIfNeeded: tree.closures.count - 1)
  }

  mutating func replace(_ id: ID, by node: ItaniumNode) { tree.nodes[Int(id.index)] = node }

  func node(_ id: ID) -> ItaniumNode { tree.nodes[Int(id.index)] }

  /// The start of a list: elements added by `append` from here on belong to it, up to
  /// `list(from:)`.
  var mark: Int { pending.count }

  mutating func append(_ id: ID) { pending.append(id) }

  mutating func list(from mark: Int) -> List {
    let start = tree.elements.count
    for index in mark..<pending.count { tree.elements.append(pending[index]) }
    pending.cut(to: mark)
    return List(start: Int32(start), count: Int32(tree.elements.count - start))
  }

  // MARK: Depth

  mutating func enter() throws(NameRefusal) {
    depth += 1
    guard depth <= NameLimits.depth else { throw .limit }
  }

  mutating func leave() { depth -= 1 }
}
