import Bytes
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Leases

/// Leases as the processes of a home see them: each test has two, as if of two processes.
@Suite("Leases in a folder") struct FolderLeasesTests {
  private let folder = ScratchFolder()
  private var one: FolderLeases { FolderLeases(of: folder.path("home")) }
  private var other: FolderLeases { FolderLeases(of: folder.path("home")) }

  init() {
    folder.write("home/intake/log", [])
    folder.write("home/uploads/abc/part", [])
  }

  @Test("A lease excludes others until it ends; a shared one excludes only those that are alone")
  func takes() throws {
    do {
      let alone = try #require(try one.take(.contents))
      let refused = try other.take(.contents, isShared: true, waits: false)
      #expect(refused == nil)
      let another = try other.take(.reprocessing)
      #expect(another != nil)
      withExtendedLifetime((alone, another)) {}
    }
    let shared = try (
      one.take(.contents, isShared: true, waits: true),
      other.take(.contents, isShared: true, waits: true)
    )
    #expect(shared.0 != nil && shared.1 != nil)
    let alone = try other.take(.contents)
    #expect(alone == nil)
    withExtendedLifetime(shared) {}
  }

  @Test("The leases of an upload are in its folder, and fail without it")
  func uploads() throws {
    let receiving = try one.take(.receiving(upload: "abc"))
    let storing = try one.take(.storing(upload: "abc"))
    #expect(receiving != nil && storing != nil)
    #expect(try folder.names("home/uploads/abc") == ["part", "turn", "work"])
    #expect(throws: FileError.self) { try one.take(.storing(upload: "none")) }
  }

  @Test("A process is alive as long as it holds its name, and others are not")
  func roles() throws {
    var worker: (any RoleLease)? = try one.join(as: .worker)
    let server = try one.join(as: .server)
    let name = try #require(worker?.name)
    #expect(name.hasPrefix("worker-\(getpid())-"))
    #expect(try other.isAlive(name, as: .worker))
    #expect(try !other.isAlive(name, as: .server))
    #expect(try !other.isAlive("worker-/../../uploads/abc/part", as: .worker))
    let counts = try (other.count(of: .worker), other.count(of: .server))
    #expect(counts == (1, 1))
    worker = nil
    #expect(try !other.isAlive(name, as: .worker))
    #expect(try other.count(of: .worker) == 0)
    withExtendedLifetime(server) {}
  }

  @Test("The file of a killed process is deleted when it is found")
  func killed() throws {
    folder.write("home/intake/worker-1-00000000", [])
    #expect(try one.count(of: .worker) == 0)
    #expect(try folder.names("home/intake") == ["log"])
  }

  @Test(
    "A name is held from the moment that others can see it",
    arguments: [LockedFile.Step.made, .locked, .filled, .named])
  func names(step: LockedFile.Step) throws {
    let seen = Mutex<[Int]>([])
    let held = try ProcessName("worker-", in: folder.path("home/intake")) { reached in
      guard reached == step else { return }
      do {
        let count = try other.count(of: .worker)
        seen.withLock { $0.append(count) }
      } catch { Issue.record(error) }
    }
    #expect(seen.withLock { $0 } == [step == .named ? 1 : 0])
    #expect(try other.isAlive(held.name, as: .worker))
    #expect(try other.count(of: .worker) == 1)
  }
}
