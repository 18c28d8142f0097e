/// Prints a parsed name as LLVM's tools do.
///
/// A type is printed in two parts, around the entity that has the type: `int (*` and `)[3]`. A part
/// that is not a type has only the first.
struct ItaniumPrinter: ~Copyable {
  typealias ID = ItaniumNode.ID
  typealias List = ItaniumNode.List

  private var tree: ItaniumTree
  var output: ByteOutput
  /// The element of a parameter pack that is being printed, and how many there are; `nil` outside
  /// an expansion and in one that has not reached a pack yet.
  var expansion: (index: Int32, count: Int32)?
  /// Expansions that are being printed.
  private var expansions = 0
  /// How often an element of a pack was used.
  private(set) var packsMet = 0
  /// The forward references that are being printed, which hostile names make cyclic.
  var open = NodeArray<ID>(capacity: 1)
  private var depth = 0
  private var visits = 0

  init(_ tree: consuming ItaniumTree, limit: Int) {
    self.tree = tree
    output = ByteOutput(limit: limit)
  }

  // MARK: Steps

  mutating func enter() throws(NameRefusal) {
    depth += 1
    visits += 1
    guard depth <= NameLimits.depth, visits <= NameLimits.visits else { throw .limit }
  }

  mutating func leave() { depth -= 1 }

  /// Counts a visit without a level; false when there were too many.
  mutating func step() -> Bool {
    visits += 1
    return visits <= NameLimits.visits
  }

  func node(_ id: ID) -> ItaniumNode { tree.nodes[Int(id.index)] }

  func function(_ index: Int32) -> ItaniumFunction { tree.functions[Int(index)] }

  func closure(_ index: Int32) -> ItaniumClosure { tree.closures[Int(index)] }

  var base: UnsafePointer<UInt8> { tree.bytes }

  func element(_ list: List, _ index: Int32) -> ID { tree.elements[Int(list.start + index)] }

  func isOpen(_ id: ID) -> Bool {
    for index in 0..<open.count where open[index] == id { return true }
    return false
  }

  // MARK: Text

  mutating func text(_ text: ItaniumNode.Text) throws(NameRefusal) {
    try output.append(base + Int(text.start), Int(text.count))
  }

  mutating func word(_ word: ItaniumWord) throws(NameRefusal) { try output.append(word.text) }

  /// Prints an optimiser's suffix of a name: `.cold`, `.isra.0`.
  mutating func suffix(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) throws(NameRefusal) {
    try output.append(" (")
    for byte in bytes { try output.append(byte) }
    try output.append(")")
  }

  /// Prints a number, whose sign is mangled as `n`.
  mutating func number(_ number: ItaniumNode.Text) throws(NameRefusal) {
    guard number.count > 0, base[Int(number.start)] == UInt8(ascii: "n") else {
      return try text(number)
    }
    try output.append("-")
    try output.append(base + Int(number.start) + 1, Int(number.count) - 1)
  }

  /// Notes that `id` was printed from `start` on, so that its text is copied the next time. Skipped
  /// where the text depends on the context: inside expansions and forward references, and with a
  /// pack in it.
  mutating func remember(_ id: ID, from start: Int, packs: Int) {
    guard expansions == 0, packsMet == packs, open.count == 0 else { return }
    tree.nodes[Int(id.index)] = .printed(
      ItaniumNode.Text(start: Int32(start), count: Int32(output.count - start)))
  }

  // MARK: Parts

  mutating func all(_ id: ID) throws(NameRefusal) {
    try left(id)
    try right(id)
  }

  /// Prints elements with commas between those that are not empty.
  mutating func list(_ list: List) throws(NameRefusal) {
    var isFirst = true
    for index in 0..<list.count {
      let before = output.count
      if !isFirst { try output.append(", ") }
      let start = output.count
      try operand(element(list, index), .comma)
      if output.count == start {
        output.cut(to: before)
      } else {
        isFirst = false
      }
    }
  }

  /// Prints a function as its source declares it: without scopes, parameters and ABI tags.
  /// Compiler-generated functions, such as thunks, get their whole names.
  mutating func short(_ id: ID) throws(NameRefusal) {
    try enter()
    defer { leave() }
    switch node(id) {
    case .function(let index): try short(function(index).name)
    case .nested(_, let name), .local(_, let name), .memberLikeFriend(_, let name),
      .moduleEntity(let name, _), .tagged(let name, _):
      try short(name)
    case .templated(let template, let arguments):
      try short(template)
      try templateArguments(arguments)
    default: try all(id)
    }
  }

  mutating func bracketed(_ list: List) throws(NameRefusal) {
    try output.append("(")
    try self.list(list)
    try output.append(")")
  }

  mutating func bracketed(_ id: ID) throws(NameRefusal) {
    try output.append("(")
    try all(id)
    try output.append(")")
  }

  mutating func templateArguments(_ list: List) throws(NameRefusal) {
    try output.append("<")
    try self.list(list)
    try output.append(">")
  }

  /// Prints each element of the packs in `pattern`, or the pattern with an ellipsis where it has
  /// none.
  mutating func expand(_ pattern: ID) throws(NameRefusal) {
    let outer = expansion
    expansion = nil
    expansions += 1
    defer {
      expansion = outer
      expansions -= 1
    }
    let start = output.count
    try all(pattern)
    guard let count = expansion?.count else { return try output.append("...") }
    if count == 0 { return output.cut(to: start) }
    for index in 1..<max(count, 1) {
      try output.append(", ")
      expansion = (index, count)
      try all(pattern)
    }
  }

  /// The element of `pack` that is being expanded.
  mutating func current(_ pack: List) -> ID? {
    packsMet += 1
    if expansion == nil { expansion = (0, pack.count) }
    guard let index = expansion?.index, index < pack.count else { return nil }
    return element(pack, index)
  }
}
