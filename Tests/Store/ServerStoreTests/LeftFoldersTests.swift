import Glibc
import TestSupport
import Testing

@testable import ServerStore

/// Folders that killed processes leave behind.
@Suite("Left folders") struct LeftFoldersTests {
  private let folder = ScratchFolder()
  private var home: String { folder.path("home") }

  /// Makes a folder with a file look older than the time that a process takes to lock it.
  private func make(_ name: String, bytes: Int, age: Int = 3_600) {
    folder.write("home/\(name)/inner/file.sym", [UInt8](repeating: 1, count: bytes))
    var times = [timespec](repeating: timespec(tv_sec: time(nil) - age, tv_nsec: 0), count: 2)
    utimensat(AT_FDCWD, folder.path("home/\(name)"), &times, 0)
  }

  @Test("Unlocked leftovers are found and deleted; locked, new and other folders stay")
  func leftovers() throws {
    make("intake/upload-aaaaaa", bytes: 100)
    make("intake/upload-bbbbbb", bytes: 20)
    make("intake/upload-cccccc", bytes: 3, age: 0)
    make("intake/upload-dddddd", bytes: 3)
    make("doctor-aaaaaa", bytes: 4)
    make("blobs/upload-aaaaaa", bytes: 5)
    folder.write("home/intake/upload-file", [1])
    folder.write("away/keep", [1])
    symlink(folder.path("away"), folder.path("home/intake/upload-link"))
    let hold = try #require(FolderHold(folder.path("home/intake/upload-dddddd")))
    let left = LeftFolders(in: home)
    #expect(
      left.paths == ["intake/upload-aaaaaa", "intake/upload-bbbbbb", "doctor-aaaaaa"])
    #expect(left.bytes == 124)
    left.remove()
    #expect(
      try folder.names("home/intake") == [
        "upload-cccccc", "upload-dddddd", "upload-file", "upload-link",
      ])
    #expect(try folder.names("home").contains("doctor-aaaaaa") == false)
    #expect(try folder.names("away") == ["keep"])
    #expect(LeftFolders(in: home).paths.isEmpty)
    withExtendedLifetime(hold) {}
  }

  @Test("The folders of this process are not left over, and end with their last reference")
  func own() throws {
    let scratch = try ServerStore(checking: home).scratch
    var upload: ProcessFolder? = try scratch.makeFolder()
    var test: ProcessFolder? = try ProcessFolder(for: .doctor, in: home)
    let paths = [try #require(upload?.path), try #require(test?.path)]
    #expect(paths[0].hasPrefix(scratch.path + "/upload-") && paths[1].hasPrefix(home + "/doctor-"))
    for path in paths {
      make(String(path.dropFirst(home.utf8.count + 1)), bytes: 1)
      #expect(FolderHold(path, alone: true) == nil)
    }
    #expect(LeftFolders(in: home).paths.isEmpty)
    (upload, test) = (nil, nil)
    for path in paths { #expect(access(path, F_OK) != 0) }
  }

  @Test("A killed process releases its folder")
  func held() throws {
    make("intake/upload-eeeeee", bytes: 1)
    var hold = FolderHold(folder.path("home/intake/upload-eeeeee"))
    #expect(hold != nil && LeftFolders(in: home).paths.isEmpty)
    #expect(FolderHold(folder.path("home/intake/upload-eeeeee"), alone: true) == nil)
    hold = nil
    #expect(LeftFolders(in: home).paths == ["intake/upload-eeeeee"])
  }
}
