/// The kind of an entry, for the reader of functions.
enum EntryKind: UInt8, BitwiseCopyable {
  /// Nothing of interest; only the offset of the next entry matters.
  case plain
  /// An entry that cannot contain code and names its sibling: all of it is skipped.
  case leafTree
  /// An entry that is a leaf tree only if the unit is written in C.
  case leafTreeInC
  /// A function without code: a declaration, or the origin of inlined calls.
  case declaration
  /// A function with code.
  case function
  /// A function's body instead of a call.
  case inlined
  /// The root of a unit.
  case unit
  /// An entry with an unknown form, so the data after it cannot be located.
  case unreadable
}

/// Traits of an abbreviation that affect the names of its entries and of entries nested in them.
struct EntryTraits: OptionSet, BitwiseCopyable {
  let rawValue: UInt8
  /// A namespace, whose name precedes those of its functions.
  static var namespace: EntryTraits { EntryTraits(rawValue: 1) }
  /// A class, structure or union, whose name likewise precedes those of its functions.
  static var type: EntryTraits { EntryTraits(rawValue: 2) }
  /// It has a linkage name of its own.
  static var linkageName: EntryTraits { EntryTraits(rawValue: 4) }
  /// Whether it can be named from other units.
  static var external: EntryTraits { EntryTraits(rawValue: 8) }
}

/// How to read, or to skip, the entries of one abbreviation.
struct Abbreviation: BitwiseCopyable {
  var code: UInt32
  var kind: EntryKind
  var hasChildren: Bool
  var traits: EntryTraits = []
  /// Steps of the skip program.
  var skipCount: UInt16 = 0
  var skipStart: UInt32 = 0
  /// Bytes to skip after the last step; the whole entry when there is no step.
  var tail: UInt32 = 0
  /// The offset of the four bytes of `DW_AT_sibling` in the entry, for the leaf trees.
  var siblingOffset: UInt32 = 0
  var planStart: UInt32 = 0
  var planCount: UInt16 = 0
}

/// One step over bytes whose number depends on the entry: a kind in the low 8 bits, and above it
/// the number of bytes of fixed-size values before them.
struct SkipStep: BitwiseCopyable {
  enum Kind {
    static var leb: UInt32 { 0 }
    static var string: UInt32 { 1 }
    static var block1: UInt32 { 2 }
    static var block2: UInt32 { 3 }
    static var block4: UInt32 { 4 }
    static var block: UInt32 { 5 }
    static var indirect: UInt32 { 6 }
  }
  var bits: UInt32
  @inline(__always) var kind: UInt32 { bits & 0xff }
  @inline(__always) var before: Int { Int(bits &>> 8) }
}

/// One attribute of the entries that are read completely.
struct PlanStep: BitwiseCopyable {
  /// Bytes of preceding fixed-size values that are of no interest.
  var before: UInt32
  var form: UInt16
  var role: AttributeRole
  /// The value of `DW_FORM_implicit_const`.
  var constant: Int64
}

/// The fact given by an attribute.
enum AttributeRole: UInt8, BitwiseCopyable {
  case none
  case name, linkageName, lowPC, highPC, ranges, origin, specification
  case callFile, callLine, callColumn, declarationFile, declarationLine
  case statementList, compilationDirectory, language, stringOffsetsBase, addressBase
  case rangeListsBase, gnuRangesBase, dwoName, gnuDwoID, producer

  init(_ attribute: UInt64) {
    self =
      switch attribute {
      case AttributeName.name: .name
      case AttributeName.linkageName, AttributeName.mipsLinkageName: .linkageName
      case AttributeName.lowPC: .lowPC
      case AttributeName.highPC: .highPC
      case AttributeName.ranges: .ranges
      case AttributeName.abstractOrigin: .origin
      case AttributeName.specification: .specification
      case AttributeName.callFile: .callFile
      case AttributeName.callLine: .callLine
      case AttributeName.callColumn: .callColumn
      case AttributeName.declarationFile: .declarationFile
      case AttributeName.declarationLine: .declarationLine
      case AttributeName.statementList: .statementList
      case AttributeName.compilationDirectory: .compilationDirectory
      case AttributeName.language: .language
      case AttributeName.stringOffsetsBase: .stringOffsetsBase
      case AttributeName.addressBase, AttributeName.gnuAddressBase: .addressBase
      case AttributeName.rangeListsBase: .rangeListsBase
      case AttributeName.gnuRangesBase: .gnuRangesBase
      case AttributeName.dwoName, AttributeName.gnuDwoName: .dwoName
      case AttributeName.gnuDwoID: .gnuDwoID
      case AttributeName.producer: .producer
      default: .none
      }
  }
}
