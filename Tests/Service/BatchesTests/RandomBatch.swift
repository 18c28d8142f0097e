import Bytes
import CrashModel
import Identifiers
import TestSupport

@testable import Batches

/// Made-up facts about reports with few names, so that many of them meet.
struct RandomBatch {
  var random: SplitMix
  private var documents: RandomReport

  init(seed: UInt64) {
    random = SplitMix(seed: seed)
    documents = RandomReport(seed: seed, longest: 3)
  }

  static let head = BatchHead(
    engine: "mayday 1", rules: "r", app: nil, symbols: "s", largestReport: nil, inputs: ["crashes"],
    refusedSymbols: [])

  static let images: [ImageFact] = (0..<20).map { number in
    var image = LoadedImage(name: number % 3 == 0 ? "lib\(number / 2).so" : "café\u{301}\(number)")
    if number % 2 == 0 {
      image.debugID = DebugID(String(repeating: "\(number % 10)", count: 32) + "0")
    }
    return ImageFact(image, isOwn: number % 5 == 0)
  }

  mutating func batch(reports count: Int) -> Batch {
    var files: [FileFact] = []
    var classes: [ClassFact] = []
    var reports: [ReportFact] = []
    var kept: [DocumentFact] = []
    for number in 0..<count {
      let path =
        "crashes/\(random.below(40))" + random.pick(["", ".zip!a", "/b", " c", "é", "e\u{301}"])
      let digest = [UInt8](repeating: UInt8(number % 200), count: 32)
      files.append(
        FileFact(
          path: path, occurrence: random.below(2), isMember: path.contains("!"),
          content: .reports, digests: [digest]))
      if random.below(5) == 0 {
        files.append(
          FileFact(
            path: path + ".txt", occurrence: 0, isMember: false,
            content: random.pick([.none, .attachment]),
            refusals: [.init(kind: random.pick([.foreign, .unreadable]), reason: documents.text())])
        )
      }
      let report = documents.next()
      let key = String(repeating: random.pick(["0", "1", "a", "f"]), count: 32)
      let id = String(repeating: "0", count: 24) + String(10_000_000 + random.below(3 * count))
      let signature = Signature(
        text: documents.text(), key: key, alternativeKeys: [], category: .signal, rules: "v1",
        isProvisional: random.below(3) == 0)
      let app = random.pick(["Tern", "Plover"])
      classes.append(
        ClassFact(
          app: app, key: key, readings: random.below(2) == 0 ? [] : ["00", "11"],
          weakReadings: random.below(4) == 0 ? ["22"] : [],
          build: Release(version: "1.\(random.below(4))", build: ""), title: .init(signature),
          exemplar: .init(report, category: .signal, id: id),
          reason: .init(
            time: random.below(4) == 0
              ? nil : Timestamp(seconds: Int64(random.below(9)) - 4, nanoseconds: 5),
            text: random.below(4) == 0 ? nil : documents.text()),
          statement: random.below(4) == 0
            ? .init(functions: "f", digest: "\(random.below(5))", stack: [1, 2]) : nil))
      reports.append(
        ReportFact(
          app: app, key: key, id: id, path: path, occurrence: 0, position: random.below(3),
          format: .appleIPS, time: nil, version: "1.0", os: OperatingSystem(name: "iOS"),
          title: signature.text, install: random.below(2) == 0 ? nil : documents.text(),
          images: (0..<random.below(4)).map { _ in random.below(Self.images.count) }))
      kept.append(DocumentFact(id: id, bytes: ByteView(documents.text().utf8)))
    }
    return Batch(
      head: Self.head, images: Self.images, files: files, classes: classes, reports: reports,
      documents: kept)
  }
}

extension Batch {
  /// The bytes of the file.
  func bytes(in folder: ScratchFolder) throws -> ByteView {
    let path = folder.path("bytes.mdp")
    try BatchMerge([.memory(self)], in: folder.path("")).write(to: path)
    return try ByteView(reading: path, limit: 1 << 30)
  }

  /// The merge of some files, in memory.
  init(merging files: [BatchFile]) throws {
    var bytes: [UInt8] = []
    let merge = try BatchMerge(files.map { .file($0) }, in: "/tmp")
    try merge.write { bytes += $0.array }
    let merged = try BatchPart.file(BatchFile(opening: ByteView(bytes), named: "merged.mdp"))
    self.init(
      head: merged.head, images: try Self.all(of: merged), files: try Self.all(of: merged),
      classes: try Self.all(of: merged), reports: try Self.all(of: merged),
      documents: try Self.all(of: merged))
  }

  private static func all<Record: BatchRecord>(of part: BatchPart) throws -> [Record] {
    var cursor = RecordCursor<Record>(part)
    var records: [Record] = []
    while let record = try cursor.next() { records.append(record) }
    return records
  }
}
