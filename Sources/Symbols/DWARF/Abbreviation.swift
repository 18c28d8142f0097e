/// The meaning of an entry for the reader of functions.
enum EntryKind: UInt8, BitwiseCopyable {
  /// Nothing of interest; only the place of the next entry matters.
  case plain
  /// No code can stand below it, and its sibling is named: all of it is jumped over.
  case leafTree
  /// The same, if the unit is written in C.
  case leafTreeInC
  /// A function without code: a declaration, or the origin of inlined calls.
  case declaration
  /// A function with code.
  case function
  /// A function's body in place of a call.
  case inlined
  /// The root of a unit.
  case unit
  /// Has an unknown form, so what follows it cannot be found.
  case unreadable
}

/// What an abbreviation shows of the names of its entries and of those that stand in them.
struct EntryTraits: OptionSet, BitwiseCopyable {
  let rawValue: UInt8
  /// A namespace, whose name stands before those of its functions.
  static var namespace: EntryTraits { EntryTraits(rawValue: 1) }
  /// A class, structure or union: the same.
  static var type: EntryTraits { EntryTraits(rawValue: 2) }
  /// It has a linkage name of its own.
  static var linkageName: EntryTraits { EntryTraits(rawValue: 4) }
  /// It can be named from other units.
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
  /// Bytes to pass after the last step; all of the entry when there is no step.
  var tail: UInt32 = 0
  /// Where the four bytes of `DW_AT_sibling` lie in the entry, for the leaf trees.
  var siblingOffset: UInt32 = 0
  var planStart: UInt32 = 0
  var planCount: UInt16 = 0
}

/// One step over bytes whose number only the entry itself shows: a kind in the low 8 bits, and
/// above it how many bytes of fixed-size values stand before.
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

/// One attribute of the entries that are read whole.
struct PlanStep: BitwiseCopyable {
  /// Bytes of fixed-size values, of no interest, that stand before.
  var before: UInt32
  var form: UInt16
  var role: AttributeRole
  /// The value of `DW_FORM_implicit_const`.
  var constant: Int64
}

/// The fact that an attribute gives.
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
