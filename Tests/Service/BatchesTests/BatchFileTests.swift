import Bytes
import Compression
import CrashModel
import Glibc
import Identifiers
import ReportDocument
import TestSupport
import Testing

@testable import Batches

@Suite("Files of batches") struct BatchFileTests {
  private let folder = ScratchFolder()

  private func batch(_ reports: Int = 60, seed: UInt64 = 7) -> Batch {
    var random = RandomBatch(seed: seed)
    return random.batch(reports: reports)
  }

  private func file(_ bytes: ByteView, checksSums: Bool = true) throws(BatchError) -> BatchFile {
    try BatchFile(opening: bytes, named: "a.mdp", checksSums: checksSums)
  }

  @Test(
    "A file has the batch, and the same batch gives the same bytes", arguments: [0, 1, 60, 3_000])
  func roundTrip(count: Int) throws {
    let batch = batch(count)
    let bytes = try batch.bytes(in: folder)
    let read = try Batch(merging: [file(bytes)])
    #expect(read.head == batch.head && read.images == batch.images && read.files == batch.files)
    #expect(read.reports == batch.reports && read.documents == batch.documents)
    #expect(read.classes.map(\.encoded) == batch.classes.map(\.encoded))
    #expect(try read.bytes(in: folder).array == bytes.array)
    for (one, other) in zip(read.classes, batch.classes) {
      let (own, others) = try (one.exemplar.report, other.exemplar.report)
      var (first, second) = (JSONBytes(), JSONBytes())
      #expect(first.of(own) == second.of(others))
    }
    #expect(try folder.names() == ["bytes.mdp"])
  }

  private struct JSONBytes {
    mutating func of(_ report: CrashReport) -> [UInt8] {
      ClassFact.Exemplar(report, category: .signal, id: "x").bytes
    }
  }

  @Test("Any partition, order, repetition and tree of merges gives the same bytes")
  func merges() throws {
    for seed in 0..<UInt64(TestSize.of(small: 12, all: 200)) {
      var random = SplitMix(seed: seed &+ TestSize.seed)
      let whole = batch(80, seed: seed)
      let expected = try whole.bytes(in: folder).array
      var parts: [BatchFile] = []
      let count = 1 + random.below(6)
      for part in 0..<count {
        // Every record is in a part; some are in several.
        func isIn(_ index: Int) -> Bool { index % count == part || random.below(4) == 0 }
        let reports = whole.reports.enumerated().filter { isIn($0.offset) }.map(\.element)
        let files = whole.files.enumerated().filter { isIn($0.offset) }.map(\.element)
        let classes = whole.classes.enumerated().filter { isIn($0.offset) }.map(\.element)
        let documents = whole.documents.enumerated().filter { isIn($0.offset) }.map(\.element)
        let order = whole.images.indices.shuffled(using: &random)
        let bytes = try Batch(
          head: whole.head, images: order.map { whole.images[$0] },
          files: files.shuffled(using: &random), classes: classes.shuffled(using: &random),
          reports: reports.shuffled(using: &random).map { report in
            var report = report
            report.images = report.images.compactMap { order.firstIndex(of: $0) }
            return report
          }, documents: documents
        ).bytes(in: folder)
        parts.append(try file(bytes))
      }
      parts += (0..<random.below(3)).map { _ in random.pick(parts) }
      parts.shuffle(using: &random)
      while parts.count > 1, random.below(3) > 0 {
        let first = parts.removeFirst()
        parts.append(
          try file(Batch(merging: [first, random.pick(parts)]).bytes(in: folder)))
        parts.append(first)
        parts.shuffle(using: &random)
        if parts.count > 12 { break }
      }
      let merged = try Batch(merging: parts).bytes(in: folder).array
      #expect(merged == expected, "seed \(seed &+ TestSize.seed)")
    }
  }

  @Test("More parts than are merged at once give the same bytes")
  func manyParts() throws {
    let whole = batch(400, seed: TestSize.seed)
    let parts = try (0..<300).map { number -> BatchFile in
      func isIn(_ index: Int) -> Bool { index % 300 == number || index % 299 == number }
      let bytes = try Batch(
        head: whole.head, images: whole.images,
        files: whole.files.enumerated().filter { isIn($0.offset) }.map(\.element),
        classes: whole.classes.enumerated().filter { isIn($0.offset) }.map(\.element),
        reports: whole.reports.enumerated().filter { isIn($0.offset) }.map(\.element),
        documents: whole.documents.enumerated().filter { isIn($0.offset) }.map(\.element)
      ).bytes(in: folder)
      return try file(bytes)
    }
    #expect(parts.count > 2 * BatchMerge.mostAtOnce)
    #expect(
      try Batch(merging: parts).bytes(in: folder).array == whole.bytes(in: folder).array)
  }

  // MARK: Damage

  @Test("A file that is cut off is refused, wherever it ends")
  func truncation() throws {
    let bytes = try batch().bytes(in: folder)
    let ends =
      Array(0..<200) + (0..<200).map { bytes.count - 1 - $0 }
      + stride(from: 200, to: bytes.count - 200, by: 997)
    for end in ends {
      #expect(throws: BatchError.self, "\(end) bytes") { _ = try file(bytes.clamped(0..<end)) }
    }
  }

  @Test("Each changed byte is found")
  func changes() throws {
    let bytes = try batch(20).bytes(in: folder).array
    var random = SplitMix(seed: TestSize.seed)
    let offsets =
      TestSize.isAll ? Array(bytes.indices) : (0..<400).map { _ in random.below(bytes.count) }
    for offset in offsets {
      var changed = bytes
      changed[offset] ^= UInt8(1 << random.below(8))
      #expect(throws: BatchError.self, "byte \(offset)") {
        _ = try Batch(merging: [file(ByteView(changed))])
      }
    }
  }

  @Test("Without checksums, damage gives an error or another batch, and no end of the program")
  func mutations() throws {
    // Zstandard would refuse nearly all of what is changed.
    var bytes: [UInt8] = []
    try BatchMerge([.memory(batch(20))], in: folder.path("")).write(isPacked: false) {
      bytes += $0.array
    }
    #expect(try Batch(merging: [file(ByteView(bytes))]).reports == batch(20).reports)
    var outcomes = Outcomes()
    for copy in Mutator.binary(
      bytes, count: TestSize.of(small: 1_000, all: 20_000), seed: TestSize.seed)
    {
      outcomes.count { _ = try Batch(merging: [file(ByteView(copy), checksSums: false)]) }
    }
    #expect(outcomes.isMixed)
  }

  @Test("A block that claims to be huge takes no memory")
  func bomb() throws {
    let bytes = try batch(5).bytes(in: folder).array
    let trailer = bytes.count - BatchFormat.trailerSize
    let start = Int(bytes[trailer]) | Int(bytes[trailer + 1]) << 8 | Int(bytes[trailer + 2]) << 16
    // The size as records of the first block of images: more than the whole file may have, and more than the
    // frame can give.
    for (size, words) in [(UInt8(0x3f), "limit of 256"), (0, "zstd")] {
      var changed = bytes
      changed.replaceSubrange((start + 24)..<(start + 28), with: [0xff, 0xff, 0, size])
      #expect {
        _ = try Batch(merging: [file(ByteView(changed), checksSums: false)])
      } throws: { error in
        "\(error)".contains(words)
      }
    }
  }

  @Test("A set whose elements repeat is refused at the second")
  func sets() {
    var encoder = BatchEncoder()
    encoder.text("app")
    encoder.text("key")
    encoder.number(1 << 20)
    for _ in 0..<(1 << 20) { encoder.text("") }
    let bytes = ByteView(encoder.bytes)
    var decoder = BatchDecoder(bytes.bytes, "class", at: 0)
    #expect(throws: ParseError.self) { _ = try ClassFact(from: &decoder) }
    #expect(decoder.position < 20)
  }

  @Test("What is no batch, or one of a later version, is named")
  func foreign() throws {
    func words(_ bytes: [UInt8]) -> String {
      do throws(BatchError) {
        _ = try file(ByteView(bytes))
        return ""
      } catch {
        return error.description
      }
    }
    #expect(words([]) == "a.mdp is not a file of triage --partial")
    #expect(words(Array("{\"groups\":[]}".utf8)) == "a.mdp is not a file of triage --partial")
    var later = try batch(1).bytes(in: folder).array
    later[8] = 2
    #expect(words(later) == "a.mdp cannot be used: batch: version 2 at 0x8 is not supported")
  }

  @Test("Batches that were made in different ways are not merged: the difference is named")
  func differences() throws {
    let one = batch(3)
    let changes: [(inout BatchHead) -> Void] = [
      { $0.engine = "mayday 2" }, { $0.rules = "other" }, { $0.app = "Tern" }, { $0.symbols = "t" },
      { $0.largestReport = 5 }, { $0.hasDocuments = true },
    ]
    let words = [
      "program", "grouping rules", "--app", "debug files", "--max-report", "--with-documents",
    ]
    for (change, word) in zip(changes, words) {
      var other = one
      change(&other.head)
      let files = try [file(one.bytes(in: folder)), file(other.bytes(in: folder))]
      #expect {
        _ = try Batch(merging: files)
      } throws: { error in
        "\(error)".contains("they differ in \(word): ")
      }
    }
    var other = one
    other.head.inputs = ["b", "a"]
    let files = try [file(one.bytes(in: folder)), file(other.bytes(in: folder))]
    #expect(try Batch(merging: files).head.inputs == ["a", "b", "crashes"])
  }

  @Test("A file that could be read once was only out of reach the other time")
  func retries() {
    let failed = FileFact(
      path: "a", occurrence: 0, isMember: false,
      refusals: [.init(kind: .unreadable, reason: "cannot read: Input/output error")])
    let read = FileFact(
      path: "a", occurrence: 0, isMember: false, content: .reports,
      digests: [[UInt8](repeating: 1, count: 32)])
    for records in [[failed, read], [read, failed, read]] {
      #expect(records.inOrder() == [read])
    }
  }

  @Test("Of what reports tell about one image, the record says the most, in any order")
  func images() {
    let id = DebugID("9e8d8de6-eec1-3199-8720-9ed68ee3f967")
    func image(_ name: String, _ architecture: String?, isOwn: Bool = false) -> ImageFact {
      var image = LoadedImage(name: name)
      image.debugID = id
      image.architecture = architecture.map { Architecture($0) }
      return ImageFact(image, isOwn: isOwn)
    }
    let told = [
      image("???", "x86_64"), image("Sentry", nil, isOwn: true), image("Sentry", "arm64"),
      image("Sentry", "arm64e"),
    ]
    for start in told.indices {
      let order = told[start...] + told[..<start]
      for images in [Array(order), order.reversed()] {
        #expect(images.inOrder() == [image("Sentry", "arm64e", isOwn: true)])
      }
    }
  }

  @Test("A full disk leaves no file")
  func fullDisk() throws {
    #expect(throws: (any Error).self) {
      try BatchMerge([.memory(batch(1))], in: folder.path("")).write(to: folder.path("none/a.mdp"))
    }
    #expect(try folder.names() == [])
  }
}

@Suite("Order of texts") struct TextOrderTests {
  @Test("Texts with the same characters and other bytes are different")
  func bytes() {
    let (one, other) = ("caf\u{e9}", "cafe\u{301}")
    #expect(one == other)
    #expect(TextOrder.compare(one, other) != 0 && TextOrder.set([one, other, one]).count == 2)
    #expect(TextOrder.compare(nil, "") < 0 && TextOrder.compare("a", "ab") < 0)
  }

  @Test("A folder comes before the file that continues its name")
  func paths() {
    let paths = ["a/b", "a/b/c", "a/c", "a b", "a.txt", "a.zip!b", "a.zip.log"]
    #expect(paths.shuffled().sorted { TextOrder.comparePaths($0, $1) < 0 } == paths)
  }
}
