internal import Bytes
internal import CrashModel
internal import Identifiers
internal import ObjectFormats

/// A code location as printed by kernels, whose addresses differ from boot to boot: `tern_price+0x1f/0x60`.
struct NamedOffset: Hashable {
  let function: String
  /// The offset from the start of the function.
  let offset: UInt64
  /// The distance to the next symbol, as kernels compute it; it distinguishes functions of the same name.
  let size: UInt64?
  let position: CodePosition

  /// - Returns: `nil` for a frame whose location is given in another way, or not at all.
  init?(_ frame: Frame, isOfKernel: Bool) {
    guard isOfKernel || frame.symbolSize != nil, frame.imageOffset == nil, frame.file == nil,
      let function = frame.function, let offset = frame.symbolOffset
    else { return nil }
    self.function = function
    self.offset = offset
    size = frame.symbolSize
    position = frame.position
  }

  /// The spelling in the report.
  var description: String {
    "\(function)+0x\(String(offset, radix: 16))"
      + (size.map { "/0x\(String($0, radix: 16))" } ?? "")
  }
}

/// The offsets of the functions of an object that the frames of a report name.
///
/// A name may belong to several functions: static C functions of different files. The length in the report
/// decides between them. A length is the distance to the next symbol, including padding.
///
/// Source: `scripts/faddr2line` and `kernel/kallsyms.c` of Linux.
struct FunctionOffsets {
  /// The result for a location.
  enum Answer: Equatable {
    case found(ImageOffset)
    /// The object has no such function.
    case unknown
    /// It has functions of that name, but of other lengths.
    case different
    /// Several functions fit.
    case ambiguous
  }

  private struct Function {
    let start: UInt64
    /// The distance to the next symbol, for each function; for the last one, to the end of its section.
    let lengths: [UInt64]
  }

  private let imageBase: UInt64
  private var functions: [String: [Function]] = [:]

  /// - Parameter names: The names to be looked up later.
  /// - Throws: ``ParseError`` for a symbol table outside the file.
  /// - Complexity: O(n log n) in the number of symbols.
  init(_ object: ObjectFile, names: Set<String>) throws(ParseError) {
    imageBase = object.imageBase
    let lengths = Set(names.map(\.utf8.count))
    let table = try object.symbolTable()
    let bytes = table.names.bytes
    var starts: [UInt64] = []
    starts.reserveCapacity(table.symbols.count)
    var wanted: [(name: String, symbol: ObjectSymbol)] = []
    for symbol in table.symbols {
      // The kernel leaves out labels that are private to assemblers and linkers.
      let first = bytes.byteOrNone(symbol.nameOffset)
      guard symbol.nameCount > 0, first != UInt8(ascii: "$"),
        !(first == UInt8(ascii: ".")
          && bytes.byteOrNone(symbol.nameOffset &+ 1) == UInt8(ascii: "L"))
      else { continue }
      if starts.last != symbol.address { starts.append(symbol.address) }
      guard lengths.contains(symbol.nameCount) else { continue }
      let name = table.name(of: symbol)
      if names.contains(name) { wanted.append((name, symbol)) }
    }
    let ends = object.sections.filter(\.isExecutable).compactMap { section -> Range<UInt64>? in
      let (end, overflow) = section.address.addingReportingOverflow(section.size)
      return overflow || section.size == 0 ? nil : section.address..<end
    }.sorted { $0.lowerBound < $1.lowerBound }
    for (name, symbol) in wanted {
      let start = symbol.address
      // One symbol may be in two tables.
      if functions[name]?.contains(where: { $0.start == start }) == true { continue }
      var lengths: [UInt64] = []
      let next = starts.lowerBound { $0 <= start }
      if next < starts.count { lengths.append(starts[next] - start) }
      let section = ends.lowerBound { $0.lowerBound <= start }
      if section > 0, ends[section - 1].contains(start) {
        let end = ends[section - 1].upperBound
        if next == starts.count || starts[next] >= end { lengths.append(end - start) }
      }
      if symbol.size > 0 { lengths.append(symbol.size) }
      functions[name, default: []].append(Function(start: start, lengths: lengths))
    }
  }

  func answer(to namedOffset: NamedOffset) -> Answer {
    guard let named = functions[namedOffset.function] else { return .unknown }
    let fitting = named.filter { function in
      if let size = namedOffset.size {
        return function.lengths.contains(size) && namedOffset.offset <= size
      }
      return function.lengths.contains { namedOffset.offset <= $0 }
    }
    guard let function = fitting.first else { return .different }
    guard fitting.count == 1 else { return .ambiguous }
    let address = function.start.addingReportingOverflow(namedOffset.offset)
    guard !address.overflow, address.partialValue >= imageBase else { return .unknown }
    return .found(ImageOffset(address.partialValue - imageBase))
  }

  /// The lengths of the functions with that name, as text for the user.
  func lengths(of name: String) -> String {
    (functions[name] ?? []).compactMap(\.lengths.first).map { "0x\(String($0, radix: 16))" }
      .joined(separator: ", ")
  }
}

extension RawSpan {
  /// The byte at `index`, 0 outside.
  fileprivate func byteOrNone(_ index: Int) -> UInt8 {
    index >= 0 && index < byteCount ? byte(index) : 0
  }
}
