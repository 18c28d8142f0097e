internal import AppPackages
internal import Bytes
internal import Compression
internal import CrashModel
internal import Glibc
internal import Identifiers
internal import ObjectFormats
internal import ReportDocument
internal import ReportFormats
internal import Retracing
internal import Scrubbing
internal import ServerStore
internal import SourceText
internal import SymbolCache
internal import Updates
internal import ZipFiles

/// An initial corpus, made from real files.
enum Seeds {
  /// Maximum size of a seed: larger ones only slow the fuzzer down.
  private static let limit = 96 << 10

  /// Writes input for `entry`, made from each file, into `folder`.
  static func write(_ entry: FuzzEntry?, into folder: String, of files: ArraySlice<String>) {
    guard let entry else {
      print("mayday-fuzz: no such entry")
      exit(2)
    }
    var count = 0
    for file in files {
      guard let bytes = try? ByteView(reading: file, limit: 8 << 20) else { continue }
      for seed in seeds(of: bytes, for: entry) where !seed.isEmpty && seed.count <= limit {
        save(seed, as: "\(folder)/seed-\(count)")
        count += 1
      }
    }
  }

  private static func seeds(of bytes: ByteView, for entry: FuzzEntry) -> [[UInt8]] {
    switch entry {
    case .json: return ObjectFile.isObject(bytes) ? [] : [bytes.array]
    // A core looks like any other ELF file.
    case .reports: return ObjectFile.isObject(bytes) && !isReport(bytes) ? [] : [bytes.array]
    case .macho: return ProgramAndObject.seeds(of: bytes)
    case .wasm: return bytes.starts(with: [0, 0x61, 0x73, 0x6d]) ? [bytes.array] : []
    case .objects, .dwarf: return ObjectFile.isObject(bytes) ? [bytes.array] : []
    case .pe: return objects(bytes).contains { $0.container == .pe } ? [bytes.array] : []
    case .pdb: return objects(bytes).contains { $0.container == .pdb } ? [bytes.array] : []
    case .breakpad:
      guard bytes.starts(with: "MODULE ".utf8) else { return [breakpadLines] }
      return [bytes.array.drop { $0 != 10 }.dropFirst().prefix(limit)].map(Array.init)
    case .archive: return StaticArchive.isArchive(bytes) ? [bytes.array] : []
    case .sources: return SourceBundle.isBundle(bytes) ? [bytes.array] : []
    case .mapping: return R8Header.recognises(bytes) ? [bytes.array] : [r8Mapping]
    case .document:
      let reports = (try? FormatRegistry.builtIn.reports(in: bytes)) ?? []
      return reports.map { $0.document(id: "0", received: nil) }
    case .sections: return objects(bytes).compactMap { PackedSections.pack($0) }
    case .cache: return objects(bytes).compactMap { try? SymbolCache.compile($0).array }
    case .cfi, .compactUnwind, .peUnwind, .stackRecords, .unwindFile:
      return UnwindBytes.seeds(of: bytes, for: entry)
    case .demangle:
      let reports = (try? FormatRegistry.builtIn.reports(in: bytes)) ?? []
      return reports.flatMap(\.threads).flatMap(\.frames)
        .compactMap { $0.symbol ?? $0.function }.prefix(20).map { Array($0.utf8) }
    case .compression:
      let packed = (try? Zstandard.compress(bytes))?.array ?? []
      let size = (0..<3).map { UInt8(truncatingIfNeeded: bytes.count >> (16 - 8 * $0)) }
      return [[1] + size + [0] + packed, [2] + size + [0] + packed]
    case .grouping:
      let reports = (try? FormatRegistry.builtIn.reports(in: bytes)) ?? []
      let names = reports.flatMap(\.threads).flatMap(\.frames).compactMap(\.function).prefix(50)
      return names.isEmpty ? [] : [bytes.array, Array(names.joined(separator: "\n").utf8)]
    case .appCenter: return (try? AppCenterLogs(parsing: bytes)) == nil ? [] : [bytes.array]
    case .scrubbing: return ObjectFile.isObject(bytes) ? [] : scrubbingSeeds(bytes)
    case .segment: return bytes.count > 4 << 10 ? [] : [SegmentBytes.seed(of: bytes)]
    case .batch: return BatchBytes.seed(of: bytes).map { [$0] } ?? []
    case .symbolIndex: return SymbolIndexBytes.seed(of: bytes).map { [$0] } ?? []
    case .intakeLog: return bytes.count > 4 << 10 ? [] : [intakeLog(bytes)]
    case .artefact:
      let kinds = ArtefactKind.allCases.indices.filter { index in
        let kind = ArtefactKind.allCases[index]
        let found = try? AppPackageReader.read(bytes, named: "a", as: kind)
        return found?.package.identifier != nil
      }
      return kinds.map { [UInt8($0)] + bytes.array }
    case .artefactPart: return artefactParts(bytes)
    }
  }

  /// Returns the members of an artefact, each with the numbers of the readers that understand it.
  private static func artefactParts(_ bytes: ByteView) -> [[UInt8]] {
    guard bytes.starts(with: "PK".utf8),
      let zip = try? ZipFile(parsing: bytes, limit: AppPackageLimits.members)
    else { return [] }
    return zip.members.flatMap { member -> [[UInt8]] in
      guard let contents = try? zip.contents(of: member, limit: limit) else { return [] }
      return AppPackagePart.allCases.indices.filter { index in
        (try? AppPackagePart.allCases[index].read(contents)) != nil
      }.map { [UInt8($0)] + contents.array }
    }
  }

  private static let r8Mapping = Array(
    """
    # compiler: R8
    # pg_map_id: 48ffd94
    app.tern.Desk -> a.a:
    # {"id":"sourceFile","fileName":"Desk.kt"}
        1:3:void app.tern.Till.take(int):31:33 -> a
        1:3:void pay():12 -> a
        # {"id":"com.android.tools.r8.rewriteFrame","conditions":["throws(Ljava/lang/Error;)"],"actions":["removeInnerFrames(1)"]}
        0:65535:void pay():0:0 -> <init>
        # {"id":"com.android.tools.r8.outlineCallsite","positions":{"1":2},"outline":"La/b;c()V"}

    """.utf8)

  private static func isReport(_ bytes: ByteView) -> Bool {
    (try? FormatRegistry.builtIn.reports(in: bytes)) != nil
  }

  private static func scrubbingSeeds(_ bytes: ByteView) -> [[UInt8]] {
    let rules = """
      [scrub]
      use = secrets
      use = email
      name = berth
      [patterns]
      tide = \\bT-[0-9]{2,5}(?:a|[^b-d])+$
      list = (x|yz)*w{3}

      """
    return [[0] + bytes.array, Array(rules.utf8) + [0] + bytes.array]
  }

  private static func intakeLog(_ bytes: ByteView) -> [UInt8] {
    let record = IntakeRecord(
      route: "reports", received: Timestamp(seconds: 0), facts: ["name": "a.crash"],
      body: bytes)
    let entry = IntakeLogRecord(record, file: nil)
    return entry.head.array + entry.body.array + entry.head.array + entry.body.array
  }

  /// A record of each kind, as no sample is a symbol file.
  private static let breakpadLines = Array(
    """
    INFO CODE_ID 0123456789ABCDEF0123456789ABCDEF01234567
    FILE 0 /app/src/main.c
    FILE 1 /app/src/clamp.h
    INLINE_ORIGIN 0 clamp(int)
    INLINE_ORIGIN 1 least
    FUNC 1000 40 0 main
    INLINE 0 7 0 0 1010 10 1028 8
    INLINE 1 3 1 1 1014 4
    1000 10 6 0
    1010 4 2 1
    1014 4 9 1
    1018 28 8 0
    FUNC m 1040 8 0 tide(char const*)
    1040 8 21 0
    PUBLIC m 2000 0 _start
    STACK CFI INIT 1000 40 .cfa: $rsp 8 + .ra: .cfa 8 - ^
    STACK WIN 4 2000 20 1 0 8 4 c 0 1 $T0 .raSearch = $eip $T0 ^ =

    """.utf8)

  private static func objects(_ bytes: ByteView) -> [ObjectFile] {
    (try? ObjectFile.objects(in: bytes)) ?? []
  }

  private static func save(_ bytes: [UInt8], as path: String) {
    guard let file = fopen(path, "w") else {
      print("mayday-fuzz: cannot write \(path)")
      exit(1)
    }
    defer { fclose(file) }
    fwrite(bytes, 1, bytes.count, file)
  }
}
