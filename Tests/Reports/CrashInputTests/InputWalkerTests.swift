import Archives
import Bytes
import CrashInput
import Glibc
import TestSupport
import Testing

@Suite struct InputWalkerTests {
  let folder = ScratchFolder()

  init() { UnpackProgram.path = BuiltProgram.mayday }

  /// Results of a walk over the folder: relative paths, with the text or the error.
  private func walk(_ names: [String]? = nil, limits: InputLimits = .standard) -> [String] {
    var found: [String] = []
    let paths = names.map { $0.map { folder.path($0) } } ?? [folder.path]
    InputWalker(limits: limits).walk(paths) { file in
      let path = file.path.dropFirst(folder.path.count + 1)
      switch file.content {
      case .success(let bytes): found.append("\(path)=\(bytes.text)")
      case .failure(let error): found.append("\(path): \(error)")
      }
      return .next
    }
    return found
  }

  @Test("Folders are walked in the order of the names")
  func order() {
    for name in ["b/2", "b/1", "a", "c/d/e", "B"] { folder.write(name, name.utf8) }
    #expect(walk() == ["B=B", "a=a", "b/1=b/1", "b/2=b/2", "c/d/e=c/d/e"])
    #expect(walk(["c", "a"]) == ["c/d/e=c/d/e", "a=a"])
    let count = InputWalker().count([folder.path])
    #expect(count.files == 5 && count.bytes == 13)
  }

  @Test("Source code in folders and archives is no report, and neither is any script")
  func sourceCode() throws {
    for name in ["a.py", "lib/b.SWIFT", "crash.txt", ".c", "noext"] {
      folder.write(name, name.utf8)
    }
    folder.write("run", "#!/bin/sh\necho Segmentation fault".utf8)
    folder.write("note", "#! a title".utf8)
    let refused = "source code, not a crash report"
    #expect(
      walk() == [
        ".c=.c", "a.py: \(refused)", "crash.txt=crash.txt", "lib/b.SWIFT: \(refused)",
        "noext=noext", "note: \(refused)", "run: \(refused)",
      ])
    // What is named itself is read, unless its content says that it is a script.
    #expect(walk(["a.py", "run"]) == ["a.py=a.py", "run: \(refused)"])
  }

  @Test("A large dump is mapped if it is not compressed; otherwise the limit is named")
  func largeDump() {
    let core: [UInt8] =
      [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9) + [4, 0]
    folder.write("core", core + [UInt8](repeating: 0, count: 4096))
    folder.write("text", [UInt8](repeating: 0x20, count: 5000))
    var limits = InputLimits()
    limits.fileBytes = 4000
    limits.dumpBytes = 4000
    #expect(walk(["core"], limits: limits) == ["core: 4114 bytes exceed the limit of 4000"])
    limits.dumpBytes = 5000
    var count = 0
    InputWalker(limits: limits).walk([folder.path("core")]) { file in
      count = (try? file.content.get().count) ?? 0
      return .next
    }
    #expect(count == 4114)
    #expect(walk(["text"], limits: limits) == ["text: 5000 bytes exceed the limit of 4000"])
    #expect(InputLimits.passing.dumpBytes >= 16 << 30)
    #expect(InputLimits.standard.dumpBytes == InputLimits.standard.fileBytes)
  }

  @Test("Archives are opened, and count as one file")
  func archives() {
    var zip = ZipBuilder()
    zip.add("x/1.ips", "one")
    zip.add("App.dSYM/Contents/Info.plist", "plist")
    zip.add("App.dSYM/Contents/Resources/DWARF/App", "macho")
    zip.add("2.ips", "two")
    folder.write("logs.zip", zip.bytes)
    folder.write("z.txt", "plain".utf8)
    #expect(
      walk() == [
        "logs.zip!x/1.ips=one",
        "logs.zip!App.dSYM: a program or debug file, not a crash report: pass it with --symbols",
        "logs.zip!2.ips=two", "z.txt=plain",
      ])
    var ordinals: [Int] = []
    InputWalker().walk([folder.path]) {
      ordinals.append($0.ordinal)
      return .next
    }
    #expect(ordinals == [0, 0, 0, 1])
  }

  @Test("An archive without files is found all the same")
  func emptyArchives() {
    folder.write("a.zip", ZipBuilder().bytes)
    folder.write("b.tar.gz", Packing.tarGzip.pack([]))
    folder.write("c.gz", Packing.tarGzip.compress(""))
    #expect(
      walk() == [
        "a.zip: the archive contains no files", "b.tar.gz: the archive contains no files", "c.gz=",
      ])
  }

  @Test("Circular links end, dangling links are errors")
  func links() {
    folder.write("a/file", "text".utf8)
    symlink("..", folder.path("a/up"))
    symlink("self", folder.path("self"))
    symlink("nowhere", folder.path("dangling"))
    symlink("a/file", folder.path("link"))
    #expect(
      walk() == [
        "a/file=text", "dangling: cannot open: the symbolic link leads nowhere", "link=text",
        "self: cannot open: Too many levels of symbolic links",
      ])
  }

  @Test("Pipes and sockets in a folder are skipped; an empty file is a file")
  func special() {
    mkfifo(folder.path("pipe"), 0o600)
    folder.write("empty", [])
    folder.write("last", "x".utf8)
    #expect(walk() == ["empty=", "last=x", "pipe: a named pipe, not a file"])
  }

  @Test("A pipe given as a path is read")
  func namedPipe() throws {
    let path = folder.path("pipe")
    mkfifo(path, 0o600)
    // Both ends are open, so that neither side waits for the other.
    let writer = open(path, O_RDWR | O_CLOEXEC)
    defer { close(writer) }
    _ = "hello".utf8CString.withUnsafeBytes { write(writer, $0.baseAddress, 5) }
    var found = ""
    let limits = with(InputLimits()) { $0.fileBytes = 4 }
    InputWalker(limits: limits).walk([path]) { file in
      if case .failure(let error) = file.content { found = error.description }
      return .next
    }
    #expect(found == "larger than the limit of 4 bytes")
  }

  @Test("A file of 5 GB is refused by its size alone")
  func sparse() {
    let path = folder.write("sparse", "x".utf8)
    truncate(path, 5 << 30)
    let clock = ContinuousClock()
    let began = clock.now
    #expect(walk() == ["sparse: 5368709120 bytes exceed the limit of 268435456"])
    #expect(clock.now - began < .seconds(5))
  }

  @Test("An unreadable file stops nothing")
  func unreadable() throws {
    folder.write("a", "first".utf8)
    folder.write("hidden/b", "secret".utf8)
    folder.write("locked", "secret".utf8)
    folder.write("z", "last".utf8)
    chmod(folder.path("hidden"), 0)
    chmod(folder.path("locked"), 0)
    defer { chmod(folder.path("hidden"), 0o700) }
    chmod(folder.path, 0o755)
    // Nothing is hidden from root, so this thread takes another user's permissions.
    let wasRoot = geteuid() == 0
    let setFileUser = try #require(Self.setFileUser)
    if wasRoot { _ = setFileUser(65534) }
    defer { if wasRoot { _ = setFileUser(0) } }
    #expect(
      walk() == [
        "a=first", "hidden: cannot open: Permission denied",
        "locked: cannot open: Permission denied", "z=last",
      ])
  }

  @Test("A damaged archive is an error beside its members, and the walk continues")
  func damagedArchive() {
    let packed = Packing.tarGzip.pack([
      ("one", "1"), ("two", String(decoding: noise(300_000), as: UTF8.self)),
    ])
    folder.write("a.tar.gz", packed.prefix(packed.count / 2))
    folder.write("b", "after".utf8)
    let found = walk()
    // The filter works in blocks of 64 KiB, of which the first is whole.
    #expect(found.first == "a.tar.gz!one=1")
    #expect(found.count == 3 && found[1].hasPrefix("a.tar.gz: damaged archive: "))
    #expect(found.last == "b=after")
  }

  @Test("Programs and dSYM bundles are not read; core files and Java classes are not programs")
  func objects() {
    let elf: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    folder.write("core", elf + [4, 0, 62, 0])
    folder.write("app", elf + [3, 0, 62, 0])
    folder.write("App.dSYM/Contents/Info.plist", "x".utf8)
    folder.write("class", [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52] + Array(repeating: 1, count: 20))
    let object = "a program or debug file, not a crash report: pass it with --symbols"
    let found = walk()
    #expect(found[0] == "App.dSYM: \(object)")
    #expect(found[1] == "app: \(object)")
    #expect(found.count == 4 && !found[2].hasSuffix(object) && !found[3].hasSuffix(object))
  }

  @Test("PE, PDB and WebAssembly files are refused like ELF; a text that begins with BZh is read")
  func otherObjects() {
    let portable = Array("MZ".utf8) + Array(repeating: 0, count: 58) + [64, 0, 0, 0]
    folder.write("a.exe", portable + Array("PE\0\0".utf8))
    folder.write("b.pdb", Array("Microsoft C/C++ MSF 7.00\r\n\u{1a}DS\0\0\0".utf8))
    folder.write("c.wasm", [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])
    folder.write("d.txt", "BZhang saw it crash".utf8)
    let object = "a program or debug file, not a crash report: pass it with --symbols"
    #expect(
      walk() == [
        "a.exe: \(object)", "b.pdb: \(object)", "c.wasm: \(object)",
        "d.txt=BZhang saw it crash",
      ])
  }

  @Test("Names that are not text are shown escaped, and opened all the same")
  func oddNames() {
    let name: [UInt8] = Array("\(folder.path)/".utf8) + [0x61, 0xff, 0x0a]
    let file = (name + [0]).map(CChar.init(bitPattern:)).withUnsafeBufferPointer {
      open($0.baseAddress ?? UnsafePointer(strdup("")), O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
    }
    _ = "odd".utf8CString.withUnsafeBytes { write(file, $0.baseAddress, 3) }
    close(file)
    #expect(walk() == ["a\\xff\\x0a=odd"])
  }

  @Test("The walk stops on request")
  func stop() {
    for index in 0..<5 { folder.write("\(index)", "x".utf8) }
    var count = 0
    InputWalker().walk([folder.path, folder.path]) { _ in
      count += 1
      return count == 2 ? .stop : .next
    }
    #expect(count == 2)
  }

  /// setfsuid(2), which changes whose permissions this one thread has. Not in the Glibc module.
  private static let setFileUser: (@convention(c) (UInt32) -> Int32)? =
    dlsym(dlopen(nil, RTLD_NOW), "setfsuid").map {
      unsafeBitCast($0, to: (@convention(c) (UInt32) -> Int32).self)
    }

  private func noise(_ count: Int) -> [UInt8] {
    var random = SplitMix(seed: 3)
    return (0..<count).map { _ in UInt8(random.next() % 94 + 32) }
  }

  private func with<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
    var value = value
    change(&value)
    return value
  }

  @Test("So is the folder in an archive; files with such names elsewhere are files")
  func problemInArchive() {
    var zip = ZipBuilder()
    for (name, content) in CrashFolderTests.problem { zip.add("ccpp-1/\(name)", content) }
    zip.add("other/time", "noon")
    zip.add("a.ips", "one")
    folder.write("a.zip", zip.bytes)
    #expect(
      walk() == [
        "a.zip!a.ips=one", "a.zip!ccpp-1=" + CrashFolderTests.text, "a.zip!other/time=noon",
      ])
  }

  @Test("Members of archives are found by their names in any order, as each by itself")
  func members() {
    var zip = ZipBuilder()
    for number in 0..<5_000 { zip.add("\(number).txt", "report \(number)") }
    var inner = ZipBuilder()
    inner.add("x", "inner x")
    inner.add("y", "inner y")
    zip.add(Array("in.zip".utf8), inner.bytes)
    zip.add("0.txt", "another of the same name")
    zip.add("last.txt", "the last")
    folder.write("a.zip", zip.bytes)
    var other = ZipBuilder()
    other.add("0.txt", "of the other")
    folder.write("b.zip", other.bytes)
    func expected(_ number: Int) -> String { "a.zip!\(number).txt=report \(number)" }
    #expect(
      walk((0..<5_000).map { "a.zip!\($0).txt" }) == (0..<5_000).map(expected))
    let mixed = [4_999, 3, 3, 17, 4, 5, 4_200, 6, 0, 1, 0]
    #expect(walk(mixed.map { "a.zip!\($0).txt" }) == mixed.map(expected))
    #expect(
      walk([
        "a.zip!4998.txt", "a.zip!4999.txt", "a.zip!in.zip", "a.zip!in.zip!y", "b.zip!0.txt",
        "a.zip!in.zip", "a.zip!last.txt", "a.zip!0.txt",
      ]) == [
        expected(4_998), expected(4_999), "a.zip!in.zip!x=inner x", "a.zip!in.zip!y=inner y",
        "a.zip!in.zip!y=inner y", "b.zip!0.txt=of the other", "a.zip!in.zip!x=inner x",
        "a.zip!in.zip!y=inner y", "a.zip!last.txt=the last", expected(0),
      ])
    folder.write("cut.zip", Array(zip.bytes.prefix(zip.bytes.count / 4)))
    let cut = walk(["cut.zip!4.txt", "cut.zip!4999.txt"])
    #expect(cut.first == "cut.zip!4.txt=report 4")
    #expect(cut.last?.contains("damaged archive") == true, "\(cut)")
    let missing = walk(["a.zip!1.txt", "a.zip!none", "a.zip!2.txt"])
    #expect(missing.count == 3 && missing[1].hasPrefix("a.zip!none: "), "\(missing)")
    #expect([missing[0], missing[2]] == [expected(1), expected(2)])
  }
}
