import Bytes
import CrashModel
import Dispatch
import Glibc
import HTTPClient
import Identifiers
import ObjectFormats
import ObjectStorage
import Synchronization
import TestSupport
import Testing

@testable import SymbolSources

/// Debug files on S3 are found like those in a folder.
@Suite("Debug files on S3") struct ObjectIndexTests {
  private let folder = ScratchFolder()
  private let bucket = BucketServer()

  private static let credentials = ObjectCredentials(
    accessKeyID: "AKIAIOSFODNN7EXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")

  private func copies(in name: String? = "copies", budget: Int = 1 << 30) -> ObjectCopies {
    let origin = bucket.origin
    return ObjectCopies(in: name.map { folder.path($0) }, budget: budget) {
      () throws(ObjectStorageError) in
      var plan = RetryPlan()
      plan.tries = 3
      plan.first = 0.01
      return ObjectStore(
        try ObjectStorageAccount(credentials: Self.credentials, endpoint: origin), agent: "tests",
        plan: plan)
    }
  }

  private func address(_ text: String) throws -> ObjectAddress { try ObjectAddress(parsing: text) }

  private func bytes(
    _ addresses: [String], from copies: ObjectCopies? = nil
  ) throws -> [UInt8] {
    var writer = SymbolIndexWriter(engine: "mayday 1")
    for text in addresses { try writer.add(address(text), from: copies ?? self.copies()) }
    var bytes: [UInt8] = []
    try writer.write { bytes += $0.array }
    return bytes
  }

  private func index(of addresses: [String], in copies: String? = "copies") throws -> IndexedSymbols
  {
    try IndexedSymbols(
      at: folder.write("all.mdi", bytes(addresses)), copies: self.copies(in: copies))
  }

  /// Puts the files of a folder into the bucket, below a prefix.
  private func upload(_ root: String, as prefix: String) throws {
    var tree = FileTree()
    var paths: [String] = []
    tree.walk(root) { if case .file(let path) = $0 { paths.append(path) } }
    for path in paths {
      bucket[prefix + path.dropFirst(root.utf8.count)] = try ByteView(mapping: path).array
    }
  }

  private static func kind(_ body: () throws -> Void) -> ObjectStorageError.Kind? {
    do {
      try body()
      return nil
    } catch {
      return (error as? ObjectStorageError)?.kind
    }
  }

  /// What is found for an image, in words.
  private func found(
    _ image: LoadedImage, in source: some SymbolSource, root: String
  ) throws -> [String] {
    func place(_ path: String) -> String {
      path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
    }
    return try source.candidates(for: image).map {
      "\(place($0.path)) \($0.architecture) \($0.usability) \($0.release as Release?) "
        + "\($0.supplementaryFiles.map { place($0.path) }) \($0.missingParts) \($0.digest)"
    } + source.unusable(for: image).map { "unusable \($0)" }
      + source.mappings(for: image).map { "mapping \(place($0.path)) \($0.identities)" }
      + source.namesakes(of: image, limit: 3).map { "namesake \($0)" }
  }

  /// Compares an index and a scan of objects with those of the same files in a folder.
  private func check(_ root: String) throws -> Int {
    try upload(root, as: "debug")
    let scan = DebugFileScanner().scan([root])
    let index = try index(of: ["s3://bucket/debug/"])
    let copies = copies(in: "direct")
    let direct = try DebugFileScanner().scan(
      copies.store().objects(at: address("s3://bucket/debug/")), from: copies)
    #expect(index.digest == scan.digest && direct.digest == scan.digest)
    #expect(index.refusals.map(\.reason) == scan.refusals.map(\.reason))
    #expect(direct.refusals == index.refusals)
    #expect(direct.otherFiles == scan.otherFiles)
    let (whole, given) = (DebugFileIndex(scan), DebugFileIndex(direct))
    var images = ["firmware", "wasm", "nowhere"].map { LoadedImage(name: $0) }
    for file in scan.files {
      for id in [file.debugID, nil] {
        images.append(LoadedImage(name: file.name, debugID: id))
        images.append(LoadedImage(name: file.name, debugID: id, codeID: file.codeID))
        images.append(
          LoadedImage(name: file.name, architecture: file.architecture, debugID: id))
      }
    }
    for file in scan.mappings {
      for identity in file.identities {
        images.append(
          LoadedImage(name: "", architecture: file.architecture, debugID: identity.debugID))
      }
    }
    var count = 0
    for image in images {
      let expected = try found(image, in: whole, root: root)
      count += expected.count
      #expect(try found(image, in: index, root: "s3://bucket/debug") == expected, "\(image)")
      #expect(try found(image, in: given, root: "s3://bucket/debug") == expected, "\(image)")
    }
    return count
  }

  @Test("An index of objects finds what a scan of the same files in a folder finds")
  func samples() throws {
    #expect(try check(Samples.symbolsFolder) > 1_000)
  }

  @Test("Linked files, bundles with a release, scripts beside maps, other files and odd keys")
  func beside() throws {
    let debug = DebugFileIndexTests.elf(symbols: ["f"], debugInfo: [1])
    let link = DebugLink.checksum(of: ByteView(debug))
    folder.write("up/lib/tern", DebugFileIndexTests.elf(id: [9, 9], link: ("tern.debug", link)))
    folder.write("up/lib/.debug/tern.debug", debug)
    folder.write("up/a b/\u{e9}+%2F/tern", DebugFileIndexTests.elf(id: [7], debugInfo: [1]))
    folder.write("up/cut/tern", debug.dropLast(40))
    folder.write("up/empty", [])
    folder.write("up/text", "words".utf8)
    folder.write("up/large", [UInt8](repeating: 7, count: 3 << 20))
    for number in 0..<150 {
      folder.write("up/many/\(number)/m", DebugFileIndexTests.elf(id: [1, UInt8(number)]))
    }
    let map = #"{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}"#
    let id = "85314830-023f-4cf1-a267-535f4e37bb17"
    folder.write("up/web/main.js.map", map.utf8)
    folder.write("up/web/main.js", "let a\n//# debugId=\(id)\n".utf8)
    let macho = try ByteView(
      mapping: Samples.universal + "/Contents/Resources/DWARF/Tern")
    folder.write("up/T.dSYM/Contents/Resources/DWARF/Tern", macho.array)
    folder.write(
      "up/T.dSYM/Contents/Info.plist",
      ("<key>CFBundleShortVersionString</key><string>3.1</string>"
        + "<key>CFBundleVersion</key><string>7</string>").utf8)
    #expect(try check(folder.path("up")) > 300)
    // Of what is no debug file, the beginning is enough.
    #expect(
      !bucket.requests("GET").contains {
        $0.target.contains("large") && $0.headers["range"] == nil
      })
    let scan = DebugFileScanner().scan([folder.path("up")])
    #expect(scan.files.contains { $0.release?.version == "3.1" })
    #expect(scan.mappings.contains { $0.debugID == DebugID(id) })
  }

  @Test("Members of archives are shown below the address, and found")
  func archives() throws {
    var zip = ZipBuilder()
    zip.add("in/tern".utf8, DebugFileIndexTests.elf(id: [8], symbols: ["g"]))
    zip.add("cut".utf8, DebugFileIndexTests.elf(symbols: ["f"]).prefix(100))
    bucket["z/a b.zip"] = zip.bytes
    let scanner = DebugFileScanner(program: BuiltProgram.mayday)
    var writer = SymbolIndexWriter(engine: "mayday 1", scanner: scanner)
    try writer.add(address("s3://bucket/z/"), from: copies())
    #expect(writer.refusals.map(\.path) == ["s3://bucket/z/a b.zip!cut"])
    var bytes: [UInt8] = []
    try writer.write { bytes += $0.array }
    let index = try IndexedSymbols(
      opening: ByteView(bytes), named: "a.mdi", copies: copies(), scanner: scanner)
    let found = try index.candidates(for: LoadedImage(name: "tern"))
    #expect(found.map(\.path) == ["s3://bucket/z/a b.zip!in/tern"])
  }

  @Test("An address names the object with exactly its key, or all that begin with it")
  func names() throws {
    let file = DebugFileIndexTests.elf(symbols: ["f"])
    for key in ["lib/tern", "lib/tern-2", "lib/tern/a", "folder/x"] { bucket[key] = file }
    bucket["folder/"] = []
    #expect(try index(of: ["s3://bucket/lib/tern"]).count == 1)
    #expect(try index(of: ["s3://bucket/lib/ter"]).count == 3)
    #expect(try index(of: ["s3://bucket/lib/", "s3://bucket/lib/tern"]).count == 3)
    #expect(try index(of: ["s3://bucket/folder/"]).count == 1)
    #expect(try index(of: ["s3://bucket"]).count == 4)
    #expect(Self.kind { _ = try bytes(["s3://bucket/nothing"]) } == .notFound)
  }

  @Test("What is shown of a file is its address, and no copy is kept for an index")
  func address() throws {
    bucket["lib/tern"] = DebugFileIndexTests.elf(symbols: ["f"])
    let bytes = try bytes(["s3://bucket/lib/"])
    #expect(access(folder.path("copies"), F_OK) != 0)
    let index = try IndexedSymbols(at: folder.write("a.mdi", bytes), copies: copies())
    let found = try index.candidates(for: LoadedImage(name: "tern"))
    #expect(found.map(\.path) == ["s3://bucket/lib/tern"])
    #expect(try FolderListing.names(in: folder.path("copies")).count == 1)
  }

  @Test("An index that is an object itself is read like one on disk")
  func indexObject() throws {
    bucket["lib/tern"] = DebugFileIndexTests.elf(symbols: ["f"])
    bucket["all.mdi"] = try bytes(["s3://bucket/lib/"])
    let copies = copies()
    func open(_ text: String) throws -> IndexedSymbols? {
      let object = try ObjectVersion(copies.store().objects(at: address(text))[0])
      return try IndexedSymbols(copies.copy(of: object), copies: copies)
    }
    let index = try #require(try open("s3://bucket/all.mdi"))
    #expect(index.path == "s3://bucket/all.mdi")
    #expect(try index.candidates(for: LoadedImage(name: "tern")).count == 1)
    #expect(try open("s3://bucket/lib/tern") == nil)
  }

  @Test("A changed or deleted object is an error; a copy of the indexed one is still right")
  func change() throws {
    let first = DebugFileIndexTests.elf(symbols: ["f"])
    bucket["tern"] = first
    let image = LoadedImage(name: "tern")
    let early = try index(of: ["s3://bucket/tern"])
    let late = try index(of: ["s3://bucket/tern"], in: "other")
    #expect(try early.candidates(for: image).count == 1)
    bucket["tern"] = DebugFileIndexTests.elf(id: [1], symbols: ["g", "h"])
    #expect {
      _ = try late.candidates(for: image)
    } throws: { error in
      "\(error)".contains("s3://bucket/tern") && "\(error)".contains("symbols index")
    }
    bucket["tern"] = nil
    #expect(throws: ChangedSymbols.self) { _ = try late.candidates(for: image) }
    // Another process has the copy.
    let again = try IndexedSymbols(at: folder.path("all.mdi"), copies: copies())
    #expect(try again.candidates(for: image).map(\.digest).count == 1)
    bucket["tern"] = first
    #expect(try late.candidates(for: image).count == 1)
  }

  @Test("Of several that need an object, one fetches it", arguments: [true, false])
  func once(sharesCopies: Bool) throws {
    bucket["tern"] = DebugFileIndexTests.elf(symbols: ["f"])
    let path = folder.write("a.mdi", try bytes(["s3://bucket/tern"]))
    let before = bucket.requests("GET").count
    bucket.fail { _, _ in
      usleep(20_000)
      return nil
    }
    let shared = copies()
    let found = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      // Each has locks of its own, as another process has.
      let index = try? IndexedSymbols(at: path, copies: sharesCopies ? shared : copies())
      let files = try? index?.candidates(for: LoadedImage(name: "tern"))
      found.add(files?.count ?? 0, ordering: .relaxed)
    }
    #expect(found.load(ordering: .relaxed) == 8)
    #expect(bucket.requests("GET").count == before + 1)
    #expect(try FolderListing.names(in: folder.path("copies")).filter { $0.hasSuffix("tmp") } == [])
  }

  @Test(
    "A bucket that refuses or fails is an error, for an index and for a look-up, never no file",
    arguments: [
      (403, "AccessDenied", .notAllowed), (404, "NoSuchBucket", .notFound),
      (503, "SlowDown", .unreachable), (400, "Whatever", .refused),
    ] as [(Int, String, ObjectStorageError.Kind)])
  func refusals(status: Int, code: String, kind: ObjectStorageError.Kind) throws {
    bucket["lib/tern"] = DebugFileIndexTests.elf(symbols: ["f"])
    let index = try index(of: ["s3://bucket/lib/"])
    bucket.fail { request, key in key.isEmpty ? nil : BucketServer.refusal(status, code) }
    let image = LoadedImage(name: "tern")
    #expect(Self.kind { _ = try index.candidates(for: image) } == kind)
    #expect(Self.kind { _ = try bytes(["s3://bucket/lib/"]) } == kind)
    bucket.fail { _, _ in BucketServer.refusal(status, code) }
    #expect(Self.kind { _ = try bytes(["s3://bucket/lib/"]) } == kind)
    bucket.fail(nil)
    #expect(try index.candidates(for: image).count == 1)
  }

  @Test("A cut answer is continued or an error, and never becomes a copy")
  func cut() throws {
    let file = DebugFileIndexTests.elf(symbols: ["f"])
    bucket["tern"] = file
    let index = try index(of: ["s3://bucket/tern"])
    let image = LoadedImage(name: "tern")
    bucket.fail { request, _ in
      ScriptedServer.Reply(
        200, headers: ["ETag: \"other\""], body: Array(file.prefix(100)), length: file.count)
    }
    #expect(Self.kind { _ = try index.candidates(for: image) } != nil)
    #expect(try FolderListing.names(in: folder.path("copies")).isEmpty)
    // A server that lies about the size of a state.
    bucket.fail { request, _ in
      ScriptedServer.Reply(200, body: Array(file.prefix(100)))
    }
    #expect(Self.kind { _ = try index.candidates(for: image) } == .malformed)
    bucket.fail { request, _ in ScriptedServer.Reply(200, body: file + [0]) }
    #expect(Self.kind { _ = try index.candidates(for: image) } == .tooLarge)
    #expect(try FolderListing.names(in: folder.path("copies")).isEmpty)
    bucket.fail(nil)
    #expect(try index.candidates(for: image).count == 1)
  }

  @Test("A damaged copy is fetched anew; without a folder that can be written, nothing is kept")
  func folders() throws {
    bucket["tern"] = DebugFileIndexTests.elf(symbols: ["f"])
    let image = LoadedImage(name: "tern")
    #expect(try index(of: ["s3://bucket/tern"]).candidates(for: image).count == 1)
    let names = try FolderListing.names(in: folder.path("copies"))
    #expect(names.count == 1)
    let path = folder.path("copies/" + names[0])
    #expect(truncate(path, 10) == 0)
    #expect(try index(of: ["s3://bucket/tern"]).candidates(for: image).count == 1)
    #expect(try ByteView(mapping: path).array == bucket["tern"])
    folder.write("file", [1])
    #expect(
      try index(of: ["s3://bucket/tern"], in: "file/copies").candidates(for: image).count == 1)
    #expect(try index(of: ["s3://bucket/tern"], in: nil).candidates(for: image).count == 1)
  }

  @Test("The least recently used copies are removed")
  func budget() throws {
    for number in 0..<6 { bucket["\(number)"] = [UInt8](repeating: UInt8(number), count: 1_000) }
    let copies = copies(budget: 3_000)
    for entry in try copies.store().objects(at: address("s3://bucket")) {
      let copy = try copies.copy(of: ObjectVersion(entry))
      #expect(try copy.bytes().count == 1_000)
    }
    #expect(try FolderListing.names(in: folder.path("copies")).count == 3)
  }

  @Test("Without what fetches objects, an index with some is an error, not empty")
  func withoutStore() throws {
    bucket["tern"] = DebugFileIndexTests.elf(symbols: ["f"])
    let index = try IndexedSymbols(
      opening: ByteView(bytes(["s3://bucket/tern"])), named: "a.mdi")
    #expect(throws: UnreadObjects.self) { _ = try index.candidates(for: LoadedImage(name: "tern")) }
  }
}
