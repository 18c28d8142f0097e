internal import Bytes
internal import ObjectFormats

/// The items that one module imports from another, as link-time code generation leaves them: a function
/// inlined from another module has a number with the highest bit set instead of an item.
///
///     BITS   of such a number
///     20-30  which of the modules that this one takes items from
///      0-19  which of its items
///
///     0xf7   taken, by module: offset of its name in `/names`, number of items, their numbers there
///     0xf8   given away: pairs of a number and the item that it stands for
///
/// Source: CrossScopeReferences and its neighbours in Microsoft's cvinfo.h; seen in files of its
/// compiler.
struct CrossModuleItems: ~Copyable {
  /// A module's imports from another one.
  struct Import {
    /// The offset of the other module's name in `/names`.
    let name: UInt32
    /// Four bytes each.
    let items: ByteView
  }

  private static let flag: UInt32 = 1 << 31

  private let modules: [PDBModule]
  private var numbers: [String: Int] = [:]
  /// The modules by their names in `/names`.
  private var named: [UInt32: Int] = [:]
  private var given: [Int: [UInt32: UInt32]] = [:]
  /// How many more bytes of other modules may be read.
  private var budget: Int

  init(_ modules: [PDBModule], budget: Int) {
    self.modules = modules
    self.budget = budget
  }

  /// Adds the imports of a subsection.
  ///
  /// - Throws: ``ParseError`` where they are cut off, after those before.
  static func read(_ view: ByteView, into imports: inout [Import]) throws(ParseError) {
    var reader = ByteReader(view.bytes, reading: "imported items")
    while !reader.isAtEnd {
      let name: UInt32 = try reader.read()
      let count: UInt32 = try reader.read()
      let start = reader.position
      try reader.skip(Int(count) * 4)
      imports.append(Import(name: name, items: view.clamped(start..<reader.position)))
    }
  }

  /// The item for a number in a module with these imports; `nil` where it is not found.
  mutating func item(
    _ number: UInt32, imports: [Import], _ names: borrowing FileNames, _ file: PDBFile
  ) -> UInt32? {
    guard number & Self.flag != 0 else { return number }
    let index = Int(number >> 20 & 0x7ff)
    guard index < imports.count else { return nil }
    let offset = Int(number & 0xf_ffff) * 4
    guard offset + 4 <= imports[index].items.count else { return nil }
    let local = UInt32(truncatingIfNeeded: imports[index].items.number(at: offset, size: 4))
    let module = module(namedAt: imports[index].name, names)
    guard module >= 0 else { return nil }
    if let known = given[module] { return known[local] }
    let items = readGiven(module, file)
    given[module] = items
    return items[local]
  }

  /// The index of a module; -1 where none has the name.
  private mutating func module(namedAt offset: UInt32, _ names: borrowing FileNames) -> Int {
    if let known = named[offset] { return known }
    if numbers.isEmpty {
      for (index, module) in modules.enumerated() where numbers[module.name] == nil {
        numbers[module.name] = index
      }
    }
    let index = numbers[names.text(at: offset).lowercased()] ?? -1
    named[offset] = index
    return index
  }

  private mutating func readGiven(_ index: Int, _ file: PDBFile) -> [UInt32: UInt32] {
    let module = modules[index]
    guard let number = module.stream else { return [:] }
    budget -= file.container.size(of: number)
    // Damage is noted when the module itself is read.
    guard budget > 0, let stream = try? file.container.stream(number) else { return [:] }
    var items: [UInt32: UInt32] = [:]
    try? ModuleLines.forEachPart(of: module.lines(in: stream)) { kind, part in
      guard kind == .crossModuleExports else { return }
      for offset in stride(from: 0, to: part.count - 7, by: 8) {
        let local = UInt32(truncatingIfNeeded: part.number(at: offset, size: 4))
        items[local] = UInt32(truncatingIfNeeded: part.number(at: offset + 4, size: 4))
      }
    }
    return items
  }
}
