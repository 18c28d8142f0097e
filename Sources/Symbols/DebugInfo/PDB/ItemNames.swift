internal import Bytes
internal import DWARF
internal import ObjectFormats

/// The names of functions that were inlined, as the item stream has them: without parameters,
/// behind their class or namespace.
///
///     LF_FUNC_ID    0x1601  namespace (an item, 0 for none), type, name
///     LF_MFUNC_ID   0x1602  class (a type), type, name
///     LF_STRING_ID  0x1605  more of the text, text
///
/// Source: LLVM docs, "CodeView Type Records"; lfFuncId, lfMFuncId, lfStringId in Microsoft's
/// cvinfo.h.
struct ItemNames: ~Copyable {
  private let file: PDBFile
  private let items: TypeRecords
  private var types = TypeRecords()
  private var hasTypes = false
  private var functions: [UInt32: UInt32] = [:]
  /// How many more bytes of names may be put together: many may be in one namespace.
  private var budget: Int

  /// - Throws: ``ParseError`` when the item stream cannot be read.
  init(_ file: PDBFile) throws(ParseError) {
    self.file = file
    budget = Self.budget(file)
    // Compilers before Visual C++ 2012 write none.
    items = file.container.size(of: 4) == 0 ? TypeRecords() : try TypeRecords(4, of: file)
  }

  /// The names of a PDB whose item stream cannot be read: none.
  init(without file: PDBFile) {
    self.file = file
    budget = 0
    items = TypeRecords()
  }

  private static func budget(_ file: PDBFile) -> Int {
    let limits = DWARFLimits()
    return file.container.bytes.count * limits.expansion + limits.slack
  }

  /// The error that cut the items off.
  var damage: ParseError? { items.damage }

  /// The number of the function with an item's name; without one where it has none.
  mutating func function(_ item: UInt32, in builder: inout CodeTablesBuilder) -> UInt32 {
    if let known = functions[item] { return known }
    let name = self.name(of: item, &builder)
    let function = builder.addFunction(named: name)
    functions[item] = function
    return function
  }

  private mutating func name(of item: UInt32, _ builder: inout CodeTablesBuilder) -> TextReference {
    guard let record = items.record(item), record.data.count > 8 else { return .none }
    let parent = UInt32(truncatingIfNeeded: record.data.number(at: 0, size: 4))
    let own = record.data.clamped(8..<record.data.count)
    var scope = ByteView.empty
    switch TypeLeaf(rawValue: record.kind) {
    case .functionID:
      if parent != 0, let text = items.record(parent), TypeLeaf(rawValue: text.kind) == .stringID {
        scope = text.data.clamped(4..<text.data.count)
      }
    case .memberFunctionID:
      if !hasTypes {
        // Members of classes alone need the types, which are the larger stream.
        hasTypes = true
        do throws(ParseError) {
          types = try TypeRecords(2, of: file)
          if let damage = types.damage { builder.note(damage.description) }
        } catch {
          builder.note(error.description)
        }
      }
      if let type = types.record(parent) {
        scope = TypeName.find(TypeLeaf(rawValue: type.kind), type.data)
      }
    default: return .none
    }
    let limit = DWARFLimits().nameLength
    let scopeCount = scope.bytes.textLength(from: 0, limit: limit)
    guard scopeCount > 0 else { return builder.addName(own.bytes) }
    budget -= scopeCount
    guard budget > 0 else { return .none }
    var joined = Table<UInt8>()
    joined.append(contentsOf: scope.clamped(0..<scopeCount).bytes)
    joined.append(UInt8(ascii: ":"))
    joined.append(UInt8(ascii: ":"))
    let ownCount = own.bytes.textLength(from: 0, limit: limit)
    joined.append(contentsOf: own.clamped(0..<ownCount).bytes)
    return builder.addName(ByteView(taking: joined).bytes)
  }
}

/// Where the name of a class is in its record.
///
///     LF_CLASS, LF_STRUCTURE, LF_INTERFACE  0x1504 0x1505 0x1519  14 or 16 bytes, size, name
///     LF_UNION, LF_ENUM                     0x1506 0x1507         8 bytes, size, name; 12 bytes, name
///
/// A size is a number of two bytes below 0x8000, or one of these as the kind of a longer number.
///
/// Source: lfClass, lfUnion and lfEnum in Microsoft's cvinfo.h.
private enum TypeName {
  static func find(_ kind: TypeLeaf, _ data: ByteView) -> ByteView {
    let fixed: Int
    var hasSize = true
    switch kind {
    case .class, .structure, .interface: fixed = 16
    case .union: fixed = 8
    case .enumeration:
      fixed = 12
      hasSize = false
    default: return .empty
    }
    guard hasSize else { return data.clamped(fixed..<max(fixed, data.count)) }
    var reader = ByteReader(data.bytes, reading: "type record")
    guard (try? reader.skip(fixed)) != nil, let size = try? reader.read(UInt16.self) else {
      return .empty
    }
    let more =
      switch TypeLeaf(rawValue: size) {
      case _ where size < TypeLeaf.signed1.rawValue: 0
      case .signed1: 1
      case .signed2, .unsigned2: 2
      case .signed4, .unsigned4: 4
      case .signed8, .unsigned8: 8
      default: data.count
      }
    let start = fixed + 2 + more
    return data.clamped(start..<max(start, data.count))
  }
}
