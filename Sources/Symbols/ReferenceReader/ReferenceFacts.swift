internal import Bytes
internal import ObjectFormats

/// The second reader's facts about a file, in tables.
///
/// Addresses are offsets from the image base; `none` is all ones.
struct ReferenceFacts: ~Copyable {
  struct Section: BitwiseCopyable {
    var name: UInt32
    var address: UInt64
    var size: UInt64
  }

  /// A function, or a call that was inlined.
  struct Scope: BitwiseCopyable {
    var name: UInt32
    /// The scope around it; `none` for a function.
    var parent: UInt32
    /// The location of the call.
    var path: UInt32
    var line: UInt32
    var column: UInt32
    /// The number of its unit.
    var unit: UInt32
  }

  struct CodeRange: BitwiseCopyable {
    var start: UInt32
    var end: UInt32
    var scope: UInt32
  }

  struct Row: BitwiseCopyable {
    var address: UInt32
    var path: UInt32
    var line: UInt32
    var column: UInt32
  }

  struct Sequence: BitwiseCopyable {
    var start: UInt32
    var end: UInt32
    var firstRow: Int
    var rowCount: Int
  }

  static var none: UInt32 { .max }

  var sandbox: UInt64 = 0
  var buildID: [UInt8] = []
  var names = TextList()
  var paths = TextList()
  var sectionNames = TextList()
  var symbolNames = TextList()
  var sections = Table<Section>()
  /// Keys of address and name of the symbols, see ``SymbolKey``.
  var symbols: Set<UInt64> = []
  /// Linked addresses and names of functions among the symbols.
  var functionSymbols = Table<Section>()
  var symbolCount = 0
  var scopes = Table<Scope>()
  var codeRanges = Table<CodeRange>()
  var rows = Table<Row>()
  var sequences = Table<Sequence>()
  var unitCount: UInt32 = 0
  var problems: [String] = []
  var problemCount = 0
}

/// Address and name of a symbol as one number: of two that differ hardly ever the same.
enum SymbolKey {
  static func key(_ address: UInt64, _ nameHash: UInt64) -> UInt64 {
    (address ^ nameHash &* 0x9e37_79b9_7f4a_7c15) &* 0xff51_afd7_ed55_8ccd
  }
}
