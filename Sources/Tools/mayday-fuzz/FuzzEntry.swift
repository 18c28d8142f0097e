internal import AppPackages
internal import Bytes
internal import Compression
internal import CrashModel
internal import DebugInfo
internal import Demangling
internal import Identifiers
internal import JSON
internal import ObjectFormats
internal import ReportDocument
internal import ReportFormats
internal import Retracing
internal import Scrubbing
internal import ServerStore
internal import SourceText
internal import SymbolCache
internal import Symbolication
internal import Updates

/// A reader that accepts any bytes.
enum FuzzEntry: String, CaseIterable, Sendable {
  /// A file of reports, read to its documents; the stacks of dumps are walked.
  case reports
  /// Our own document of a report.
  case document
  case json
  /// An object file: ids, sections, symbols.
  case objects
  /// An object file to its symbol cache, and look-ups in it.
  case dwarf
  /// A Mach-O program, followed by the file that it finds at each path of its debug map.
  case macho
  /// A WebAssembly module to its symbol cache, with a module that may be the same.
  case wasm
  /// A program for Windows: ids, sections, symbols, and any DWARF that it has.
  case pe
  /// A PDB to its symbol cache, its embedded sources, and look-ups in the cache.
  case pdb
  /// The text of a Breakpad symbol file after its first line, to its symbol cache.
  case breakpad
  /// A library of object files, and its members.
  case archive
  /// A bundle of sources, and lines of its files.
  case sources
  /// A mapping of R8, with calls and texts that use its names.
  case mapping
  /// Debug sections without the object around them, see ``PackedSections``.
  case sections
  /// A symbol cache whose checksum is not verified.
  case cache
  /// Call frame information; the first byte chooses the section, the architecture and the byte order.
  case cfi
  /// `__unwind_info` of Mach-O; the first byte chooses the architecture.
  case compactUnwind = "compact-unwind"
  /// A function table of Windows, at the start of the image; the first byte chooses the architecture, and two
  /// more are the size of the table.
  case peUnwind = "pe-unwind"
  /// `STACK` lines of Breakpad's text.
  case stackRecords = "stack-records"
  /// A file of unwind rules whose checksum is not verified.
  case unwindFile = "unwind-file"
  case demangle
  /// The first byte chooses the format.
  case compression
  /// Reports to signatures; other input is taken as a stack, one name per line.
  case grouping
  /// A submission of an App Center SDK to logs, and each report in them to its document.
  case appCenter = "app-center"
  /// Rules of `scrub.conf`, then a zero byte and a text that they scrub; without rules, the standard ones.
  case scrubbing
  /// A segment of the search index whose checksums are not compared, read in all ways and merged with itself.
  case segment
  /// A file of a part of a triage whose checksums are not compared, merged with itself and grouped.
  case batch
  /// A symbol index whose checksums are not compared, in which images are looked up.
  case symbolIndex = "symbol-index"
  /// An intake log.
  case intakeLog = "intake-log"
  /// An artefact of a release; the first byte chooses its kind.
  case artefact
  /// A manifest, table, profile or picture of one; the first byte chooses which.
  case artefactPart = "artefact-part"

  /// Maximum size of sections or streams that are unpacked, in bytes.
  private static let unpackedLimit = 4 << 20

  func run(_ bytes: ByteView) {
    switch self {
    case .reports: Self.readReports(bytes)
    case .document: Self.readDocument(bytes)
    case .json: Self.readJSON(bytes)
    case .objects: Self.readObjects(bytes)
    case .dwarf: Self.compile(bytes)
    case .macho: ProgramAndObject(bytes)?.compile()
    case .wasm: ModulePair.compile(bytes)
    case .pe, .pdb:
      Self.readObjects(bytes)
      Self.compile(bytes)
    case .breakpad:
      Self.compile(ByteView(Self.breakpadHead + bytes.array))
    case .archive: Self.readMembers(bytes)
    case .sources: Self.readSources(bytes)
    case .mapping: Self.readMapping(bytes)
    case .sections: PackedSections(bytes)?.read()
    case .cache:
      if let cache = try? SymbolCache(opening: bytes, checksSum: false) { Self.lookUp(in: cache) }
    case .cfi, .compactUnwind, .peUnwind, .stackRecords: UnwindBytes.compile(bytes, self)
    case .unwindFile: UnwindBytes.open(bytes)
    case .demangle: Self.demangle(bytes)
    case .compression: Self.decompress(bytes)
    case .grouping: StackText.sign(bytes)
    case .appCenter: Self.readLogs(bytes)
    case .scrubbing: Self.scrub(bytes)
    case .segment: SegmentBytes.read(bytes)
    case .batch: BatchBytes.read(bytes)
    case .symbolIndex: SymbolIndexBytes.read(bytes)
    case .intakeLog: Self.readIntakeLog(bytes)
    case .artefact: Self.readArtefact(bytes)
    case .artefactPart:
      guard let part = Self.choose(AppPackagePart.allCases, by: bytes) else { return }
      _ = try? part.read(bytes.clamped(1..<bytes.count))
    }
  }

  private static func choose<Kind>(_ kinds: [Kind], by bytes: ByteView) -> Kind? {
    bytes.isEmpty ? nil : kinds[Int(bytes[0]) % kinds.count]
  }

  private static func readArtefact(_ bytes: ByteView) {
    guard let kind = choose(ArtefactKind.allCases, by: bytes),
      let package = try? AppPackageReader.read(
        bytes.clamped(1..<bytes.count), named: "a", as: kind
      ).package
    else { return }
    for text in [package.identifier, package.version, package.build, package.minimumOS] {
      precondition(
        text?.utf8.contains { $0 < 0x20 } != true, "a control character in \(package)")
    }
  }

  private static let symbolicator = Symbolicator(sources: [], pool: SymbolCachePool())

  private static func readReports(_ bytes: ByteView) {
    guard let reports = try? FormatRegistry.builtIn.reports(in: bytes) else { return }
    for report in reports {
      // The stacks of dumps are walked without files.
      let report = (try? symbolicator.symbolicate(report)) ?? report
      let document = report.document(id: "0", received: nil)
      guard let again = try? StoredReport(document: ByteView(document)) else {
        fatalError("a document of ours cannot be read")
      }
      precondition(
        again.report.document(id: "0", received: nil) == document, "a document of ours changes")
    }
  }

  private static func readDocument(_ bytes: ByteView) {
    guard let report = try? StoredReport(document: bytes) else { return }
    let document = report.report.document(id: report.id, received: report.received)
    precondition((try? StoredReport(document: ByteView(document))) != nil, "cannot be read again")
  }

  private static func readJSON(_ bytes: ByteView) {
    let parsed = try? JSONDocument.parse(bytes)
    var reader = JSONReader(bytes.bytes)
    // Skipping checks less than parsing, so that it may accept more, never less.
    let isSkipped = (try? reader.skipValue()) != nil
    precondition(parsed == nil || isSkipped, "read, but not skipped")
    guard let value = parsed?.value else { return }
    var writer = JSONWriter()
    writer.value(value)
    let written = writer.takeBytes()
    precondition((try? JSONDocument.parse(ByteView(written))) != nil, "cannot be read again")
  }

  private static func readObjects(_ bytes: ByteView) {
    guard let slices = try? ObjectFile.slices(in: bytes) else { return }
    for slice in slices {
      guard let object = try? slice.get() else { continue }
      for section in object.sections where section.size < unpackedLimit {
        _ = try? object.contents(of: section)
      }
      _ = try? object.symbolTable()
      _ = object.hasSymbols
      _ = object.hasDebugInfo
      _ = object.debugID?.description
      if let file = object.pdb {
        for source in (try? file.embeddedSources()) ?? [] { _ = try? file.contents(of: source) }
      }
    }
  }

  private static func readMembers(_ bytes: ByteView) {
    _ = StaticArchive.isUniversal(bytes)
    var count = 0
    StaticArchive(bytes)?.forEachMember { member in
      precondition(member.bytes.count <= bytes.count, "a member larger than its library")
      _ = member.name.utf8.count
      readObjects(member.bytes)
      count += 1
      return count < 64
    }
  }

  private static let breakpadHead = Array("MODULE Linux x86_64 0123456789ABCDEF0 a\n".utf8)

  private static func readSources(_ bytes: ByteView) {
    guard let bundle = try? SourceBundle(parsing: bytes) else { return }
    for path in bundle.paths.prefix(8) {
      guard let text = bundle.text(of: path) else { continue }
      for line in [1, 2, 50, Int.max] { _ = SourceExcerpt(text, around: line, count: 7) }
    }
    _ = bundle.text(of: "../../etc/passwd")
  }

  private static func readMapping(_ bytes: ByteView) {
    guard R8Header.recognises(bytes) else { return }
    let mapping = R8Mapping(bytes)
    let text = String(decoding: bytes.clamped(0..<(64 << 10)).array, as: UTF8.self)
    _ = mapping.retrace(text: text)
    var steps = 1_000_000
    for line in text.split(whereSeparator: \.isNewline).prefix(200) {
      guard let name = line.split(separator: " ").last?.split(separator: ":").first else {
        continue
      }
      for number in [nil, 1, 7, Int.max] {
        for method in ["a", "<init>"] {
          let call = R8Call(className: String(name), method: method, line: number)
          _ = mapping.retrace(
            call, outlineLine: number, thrown: ["java.lang.Error"], steps: &steps)
        }
      }
    }
  }

  static func compile(_ bytes: ByteView) {
    guard let slices = try? ObjectFile.slices(in: bytes) else { return }
    for slice in slices {
      guard let object = try? slice.get() else { continue }
      // The contents of other files are taken from this one.
      var supplementary = SupplementaryObjects()
      if object.hasSplitUnits { supplementary.split = [object] }
      if object.elf?.alternateLink != nil { supplementary.alternate = object }
      guard let compiled = try? SymbolCache.compile(object, supplementary: supplementary) else {
        continue
      }
      guard let cache = try? SymbolCache(opening: compiled) else {
        fatalError("a cache of ours cannot be opened")
      }
      guard (try? cache.verify()) != nil else { fatalError("a cache of ours is damaged") }
      lookUp(in: cache)
    }
  }

  /// Looks up offsets all over the cache, most of them where code usually is.
  static func lookUp(in cache: SymbolCache) {
    var frames = Table<CacheFrame>()
    var offset: UInt32 = 0
    var step: UInt32 = 0x13
    while offset < 0xffff_0000 {
      cache.lookUp(offset, into: &frames)
      for index in 0..<frames.count {
        _ = cache.text(frames[index].name).byteCount
        _ = cache.text(frames[index].file).byteCount
      }
      let next = offset.addingReportingOverflow(step)
      if next.overflow { break }
      offset = next.partialValue
      if offset > 0x8000 { step = step &+ step / 8 }
    }
    cache.lookUp(.max, into: &frames)
    _ = try? cache.verify()
  }

  private static func demangle(_ bytes: ByteView) {
    let name = bytes.text
    _ = Demangler.looksMangled(name)
    if let readable = Demangler.demangle(name) {
      precondition(readable.utf8.count <= 4 * Demangler.outputLimit, "a name without end")
    }
    for style in [Demangler.MicrosoftStyle.full, .symbolizer] {
      let text = Demangler.undecorate(name, as: style)
      precondition((text?.utf8.count ?? 0) <= Demangler.outputLimit, "a name without end")
    }
  }

  private static func decompress(_ bytes: ByteView) {
    guard bytes.count >= 5 else { return }
    let data = bytes.clamped(5..<bytes.count)
    let announced = (1...3).reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[$1]) }
    switch bytes[0] & 3 {
    case 0: _ = try? Zlib.decompress(data, size: announced, limit: unpackedLimit)
    case 1: _ = try? Zstandard.decompress(data, size: announced, limit: unpackedLimit)
    case 2: _ = try? Zstandard.decompress(data, limit: unpackedLimit)
    default: _ = try? XZ.decompress(data, limit: unpackedLimit)
    }
  }

  private static func readLogs(_ bytes: ByteView) {
    guard let logs = try? AppCenterLogs(parsing: bytes) else { return }
    for report in logs.reports {
      precondition(
        (try? AppCenterLogs(parsing: report.submission))?.reports.count == 1,
        "a submission of ours cannot be read")
      readReports(report.submission)
    }
    for attachment in logs.attachments {
      precondition(attachment.bytes.count <= bytes.count, "an attachment larger than its log")
    }
  }

  private static let standardScrubber = try? Scrubber(.standard)

  private static func scrub(_ bytes: ByteView) {
    let text = bytes.array
    let end = text.firstIndex(of: 0) ?? 0
    // The machines of the standard rules are large; once is enough.
    let rules = end == 0 ? nil : try? ScrubRules(parsing: bytes.clamped(0..<end))
    guard let scrubber = end == 0 ? standardScrubber : rules.flatMap({ try? Scrubber($0) }) else {
      return
    }
    let rest = bytes.clamped(min(end + 1, text.count)..<text.count)
    var covered = 0
    for find in scrubber.finds(in: rest) {
      precondition(find.range.lowerBound >= covered, "finds overlap")
      covered = find.range.upperBound
    }
    precondition(covered <= rest.count, "a find beyond the text")
    let scrubbed = scrubber.scrub(file: rest)
    if end == 0 {
      precondition(
        scrubber.scrub(file: scrubbed).array == scrubbed.array, "scrubbing again changes a text")
    }
  }

  private static func readIntakeLog(_ bytes: ByteView) {
    var offset = 0
    while offset < bytes.count {
      let start = offset
      switch IntakeLogRecord.read(bytes, at: &offset, isChecked: true) {
      case .record(let entry):
        precondition(start < offset && offset <= bytes.count, "no way on")
        precondition(bytes.clamped(entry.body).count == entry.body.count, "a body beyond the end")
      case .end, .damage: return
      }
    }
  }
}
