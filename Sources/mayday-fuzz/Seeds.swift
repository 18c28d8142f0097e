internal import Bytes
internal import Compression
internal import CrashModel
internal import Glibc
internal import ObjectFormats
internal import ReportDocument
internal import ReportFormats
internal import SourceText
internal import SymbolCache

/// A corpus to begin with, made of real files.
enum Seeds {
  /// Larger ones only slow the fuzzer down.
  private static let limit = 96 << 10

  /// Writes what `entry` reads, made of each file, into `folder`.
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
    case .reports, .json: return ObjectFile.isObject(bytes) ? [] : [bytes.array]
    case .macho: return ProgramAndObject.seeds(of: bytes)
    case .wasm: return bytes.starts(with: [0, 0x61, 0x73, 0x6d]) ? [bytes.array] : []
    case .objects, .dwarf: return ObjectFile.isObject(bytes) ? [bytes.array] : []
    case .pe: return objects(bytes).contains { $0.container == .pe } ? [bytes.array] : []
    case .pdb: return objects(bytes).contains { $0.container == .pdb } ? [bytes.array] : []
    case .breakpad:
      guard bytes.starts(with: "MODULE ".utf8) else { return [] }
      return [bytes.array.drop { $0 != 10 }.dropFirst().prefix(limit)].map(Array.init)
    case .sources: return SourceBundle.isBundle(bytes) ? [bytes.array] : []
    case .document:
      let reports = (try? FormatTable.reports(in: bytes)) ?? []
      return reports.map { $0.document(id: "0", received: nil) }
    case .sections: return objects(bytes).compactMap { PackedSections.pack($0) }
    case .cache: return objects(bytes).compactMap { try? SymbolCache.compile($0).array }
    case .cfi, .compactUnwind, .peUnwind, .stackRecords, .unwindFile:
      return UnwindBytes.seeds(of: bytes, for: entry)
    case .demangle:
      let reports = (try? FormatTable.reports(in: bytes)) ?? []
      return reports.flatMap(\.threads).flatMap(\.frames)
        .compactMap { $0.symbol ?? $0.function }.prefix(20).map { Array($0.utf8) }
    case .compression:
      let packed = (try? Zstandard.compress(bytes))?.array ?? []
      let size = (0..<3).map { UInt8(truncatingIfNeeded: bytes.count >> (16 - 8 * $0)) }
      return [[1] + size + [0] + packed, [2] + size + [0] + packed]
    case .grouping:
      let reports = (try? FormatTable.reports(in: bytes)) ?? []
      let names = reports.flatMap(\.threads).flatMap(\.frames).compactMap(\.function).prefix(50)
      return names.isEmpty ? [] : [bytes.array, Array(names.joined(separator: "\n").utf8)]
    }
  }

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
