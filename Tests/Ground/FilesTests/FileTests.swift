import Bytes
import Files
import Glibc
import TestSupport
import Testing

@testable import Files

@Suite("Files")
struct FilesTests {
  private let folder = ScratchFolder()

  private func names() -> [String] { FolderNames.of(folder.path).sorted() }

  private func text(_ name: String) throws -> String {
    try ByteView(reading: folder.path(name), limit: 1 << 20).text
  }

  @Test("A new file appears when complete, and nothing is left of an incomplete one")
  func newFile() throws {
    do {
      let new = try NewFile(at: folder.path("a"))
      try new.write(ByteView("first".utf8))
      #expect(!names().contains("a") && names().count == 1)
    }
    #expect(names().isEmpty)
    for (durability, text) in [(Durability.lasting, "one"), (.renewable, "two")] {
      try NewFile.write(ByteView(text.utf8), to: folder.path("a"), durability)
      #expect(try self.text("a") == text)
    }
    #expect(names() == ["a"])
    var status = stat()
    #expect(stat(folder.path("a"), &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test("A file that may not be replaced stays, even if it appeared meanwhile")
  func kept() throws {
    let new = try NewFile(at: folder.path("a"), replacing: false)
    folder.write("a", "other".utf8)
    #expect(throws: FileError("make", path: folder.path("a"), code: EEXIST)) { try new.finish() }
    #expect(throws: FileError("make", path: folder.path("a"), code: EEXIST)) {
      try NewFile(at: folder.path("a"), replacing: false)
    }
    #expect(try text("a") == "other")
  }

  @Test("Only regular files are replaced")
  func folders() throws {
    try Folder.make(folder.path("a"))
    let error = #expect(throws: FileError.self) { try NewFile(at: folder.path("a")) }
    #expect(error?.code == EINVAL)
    #expect(throws: FileError.self) { try NewFile(at: folder.path("none/a")) }
  }

  @Test("A file may be written in another folder first")
  func elsewhere() throws {
    try Folder.makeAll(folder.path("x/y/new"))
    let new = try NewFile(at: folder.path("x/y/a"), in: folder.path("x/y/new"))
    #expect(FolderNames.of(folder.path("x/y/new")).count == 1)
    try new.finish()
    #expect(Set(FolderNames.of(folder.path("x/y"))) == ["new", "a"])
    #expect(FolderNames.of(folder.path("x/y/new")).isEmpty)
  }

  @Test("Folders are created for their owner, with their parents, and once")
  func make() throws {
    let path = folder.path("a/b/c")
    #expect(throws: FileError.self) { try Folder.make(path) }
    try Folder.makeAll(path)
    try Folder.makeAll(path + "/")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o700)
    folder.write("file", [])
    #expect(throws: FileError.self) { try Folder.make(folder.path("file")) }
    #expect(throws: FileError.self) { try Folder.makeAll(folder.path("file/x")) }
    Folder.remove(folder.path("a"))
    #expect(names() == ["file"])
  }

  @Test("Removing a folder keeps the targets of links in it")
  func remove() throws {
    folder.write("kept", "x".utf8)
    folder.write("a/b/c", "y".utf8)
    symlink(folder.path("kept"), folder.path("a/link"))
    symlink(folder.path, folder.path("a/b/up"))
    Folder.remove(folder.path("a"))
    #expect(names() == ["kept"])
  }

  @Test(
    "The folder of a path follows from its text",
    arguments: [
      ("a", "."), ("a/b", "a"), ("/a", "/"), ("/a/b/", "/a"), ("/", "/"), ("", "."), ("a//", "."),
    ])
  func parent(path: String, expected: String) { #expect(Folder.parent(of: path) == expected) }

  @Test("The names in a folder are complete, of any length")
  func listed() throws {
    let names = ["a", ".hidden", "\u{1f426}", String(repeating: "n", count: 255)]
    for name in names { folder.write(name, [1]) }
    #expect(try Set(FolderNames.listed(folder.path)) == Set(names))
    #expect(Set(FolderNames.of(folder.path)) == Set(names))
    for path in [folder.path("none"), folder.path("a")] {
      #expect(FolderNames.of(path).isEmpty)
      #expect(throws: FileError.self) { try FolderNames.listed(path) }
    }
  }

  @Test("A lock excludes others as long as it is held, and follows the name")
  func locks() throws {
    let path = folder.path("lock")
    do {
      let first = try #require(try LockFile(path))
      #expect(try LockFile(path) == nil)
      #expect(try LockFile(path, .shared) == nil)
      #expect(LockFile(leftAt: path) == nil)
      // Another file of the same name: its lock is free.
      #expect(first.hasName)
      first.remove()
      #expect(!first.hasName)
      let second = try #require(try LockFile(path))
      #expect(second.hasName)
    }
    #expect(LockFile(leftAt: path) != nil)
    let shared = try (LockFile(path, .shared), LockFile(path, .shared))
    #expect(shared.0 != nil && shared.1 != nil)
    #expect(throws: FileError.self) { try LockFile(folder.path("none/lock")) }
    #expect(LockFile(leftAt: folder.path("none")) == nil)
  }

  @Test("The file of a lock gets its bytes and its name at once")
  func publish() throws {
    let lock = try #require(try LockFile(folder.path("a.tmp")))
    folder.write("a", "a longer text".utf8)
    try lock.publish(ByteView("short".utf8), at: folder.path("a"))
    #expect(try text("a") == "short")
    #expect(names() == ["a"])
  }

  @Test("A file without a name leaves nothing behind, unless it is named")
  func unnamed() throws {
    do {
      let file = try UnnamedFile(in: folder.path)
      try ByteView("text".utf8).write(to: file.file.number, named: "x")
      #expect(try ByteView(reading: file.path, limit: 10).text == "text")
      #expect(try file.link(to: folder.path("kept")))
      #expect(try !file.link(to: folder.path("kept")))
    }
    #expect(names() == ["kept"])
    #expect(throws: FileError.self) { try UnnamedFile(in: folder.path("none")) }
  }

  @Test("A database file is created once, and an existing one is not opened")
  func makeUnlessThere() throws {
    try OpenFile.makeUnlessThere(folder.path("db"))
    folder.write("db", "x".utf8)
    try OpenFile.makeUnlessThere(folder.path("db"))
    #expect(try text("db") == "x")
    #expect(throws: FileError.self) { try OpenFile.makeUnlessThere(folder.path("none/db")) }
  }

  @Test("A pipe is read until the timeout")
  func patience() throws {
    let pipe = try OpenFile.pipe()
    var patience: Int64 = 2_000_000
    var isThere = pipe.reading.waitToRead(within: &patience)
    #expect(!isThere)
    #expect(patience <= 0)
    patience = 1_000_000_000
    try ByteView([1, 2]).write(to: pipe.writing.number, named: "pipe")
    isThere = pipe.reading.waitToRead(within: &patience)
    let bytes = try pipe.reading.next(10, name: "pipe")
    #expect(isThere && bytes.array == [1, 2])
  }

  @Test("The clocks agree with the system's")
  func clocks() {
    let before = time(nil)
    let (now, steady) = (WallClock.seconds, SteadyClock.nanoseconds)
    #expect((before...time(nil)).contains(now))
    #expect(WallClock.microseconds / 1_000_000 - now <= 1)
    #expect(Int(WallClock.nanoseconds / 1_000_000_000) - now <= 1)
    #expect(SteadyClock.nanoseconds >= steady)
    #expect(abs(SteadyClock.seconds - Double(steady) / 1e9) < 60)
  }
}
