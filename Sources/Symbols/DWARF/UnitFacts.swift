internal import Bytes

/// The units of an object: their producers, languages and encodings.
public struct UnitFacts: Sendable {
  /// How many units have code or line tables of their own; type units and units that only others
  /// refer to are not counted.
  public private(set) var unitCount = 0
  /// The number of those units by version of DWARF.
  public private(set) var versions: [Int: Int] = [:]
  /// Whether some are in the 64-bit format.
  public private(set) var hasWideUnits = false
  /// Units whose entries are in another file.
  public private(set) var skeletonCount = 0
  /// How many units each producer compiled, by its own name.
  public private(set) var producers: [String: Int] = [:]
  /// How many units each language has, by its code.
  public private(set) var languages: [UInt64: Int] = [:]

  /// Reads the facts of the object's units and, where they name units in other available files, of
  /// those. A damaged unit is left out.
  ///
  /// - Complexity: O(units and their abbreviations).
  public init(reading sections: borrowing DWARFSections, limits: DWARFLimits = DWARFLimits()) {
    read(sections, limits)
    for other in sections.others where other.role == .split || other.role == .package {
      var inner = UnitFacts()
      inner.read(other, limits)
      for (name, count) in inner.producers where producers.count < Self.mostProducers {
        producers[name, default: 0] += count
      }
      for (code, count) in inner.languages { languages[code, default: 0] += count }
    }
  }

  private init() {}

  /// A larger number is of no use.
  private static let mostProducers = 1000
  private static let mostLanguages = 256
  private static let producerLength = 4096

  private mutating func read(_ sections: borrowing DWARFSections, _ limits: DWARFLimits) {
    let spans = SectionSpans(sections)
    var reader = InfoReader(
      sections, space: CodeSpace(imageBase: 0, executable: []), limits: limits)
    if sections.role == .package {
      // Each unit has its own parts of the other sections.
      for splitUnit in SplitIndex([copy sections], limits: limits).all {
        guard let root = reader.root(at: splitUnit, spans) else { continue }
        add(root, of: reader.units[0], producer: reader.producer(root, 0, spans))
      }
      return
    }
    reader.findUnits(spans)
    for index in reader.units.indices where !reader.units[index].header.isTypeUnit {
      guard let root = reader.root(of: index, spans) else { continue }
      add(root, of: reader.units[index], producer: reader.producer(root, index, spans))
    }
  }

  private mutating func add(_ root: RootEntry, of unit: Unit, producer: String) {
    let encoding = unit.header.encoding
    let isSplit = unit.header.kind == UnitHeader.Kind.splitCompile
    guard root.hasCode || root.statementList.isPresent || isSplit || root.gnuDwoID != nil else {
      return
    }
    unitCount += 1
    versions[Int(encoding.version), default: 0] += 1
    if encoding.offsetSize == 8 { hasWideUnits = true }
    if unit.splitID != nil { skeletonCount += 1 }
    if !producer.isEmpty, producers[producer] != nil || producers.count < Self.mostProducers {
      producers[producer, default: 0] += 1
    }
    if root.language > 0,
      languages[root.language] != nil || languages.count < Self.mostLanguages
    {
      languages[root.language, default: 0] += 1
    }
  }

  fileprivate static func text(_ span: RawSpan, from offset: Int) -> String {
    let count = span.textLength(from: offset, limit: producerLength)
    return span.extracting(offset..<(offset + count)).text
  }
}

extension InfoReader {
  /// The root entry of a unit; its bases are known afterwards.
  fileprivate mutating func root(of index: Int, _ spans: borrowing SectionSpans) -> RootEntry? {
    guard prepare(index, spans), let table = units[index].abbreviations else { return nil }
    units[index].abbreviations = nil
    let header = units[index].header
    var cursor = Cursor(
      spans.info, isBigEndian: spans.isBigEndian, from: header.entries, to: header.end)
    let entryIndex = table.index(of: cursor.uleb())
    guard entryIndex >= 0 else { return nil }
    let abbreviation = table.entries[entryIndex]
    let plans = table.plans
    var root = RootEntry()
    cursor.read(
      &root, plan: plans.span, from: Int(abbreviation.planStart),
      count: Int(abbreviation.planCount), encoding: header.encoding)
    return cursor.failed ? nil : root
  }

  /// The root entry of a unit in a package, which becomes the only one of the reader.
  fileprivate mutating func root(
    at splitUnit: SplitIndex.SplitUnit, _ spans: borrowing SectionSpans
  ) -> RootEntry? {
    guard
      case .unit(var header) = UnitHeader.read(
        spans.info, at: splitUnit.unit.lowerBound, isBigEndian: spans.isBigEndian),
      header.end <= splitUnit.unit.upperBound, !header.isTypeUnit
    else { return nil }
    let (abbreviations, overflow) = header.abbreviations.addingReportingOverflow(
      splitUnit.abbreviations)
    guard !overflow else { return nil }
    header.abbreviations = abbreviations
    units = [Unit(header)]
    guard let root = root(of: 0, spans) else { return nil }
    units[0].stringOffsetsBase &+= UInt64(splitUnit.stringOffsets)
    return root
  }

  fileprivate func producer(
    _ root: RootEntry, _ index: Int, _ spans: borrowing SectionSpans
  ) -> String {
    let text = text(root.producer, units[index], spans)
    return text.isNone ? "" : UnitFacts.text(spans.span(of: text), from: text.offset)
  }
}
