import Bytes
import ObjectStorage
import TestSupport
import Testing

/// More of copies is tested with the debug files that they are for.
@Suite(
  "Copies of objects of a server that checks signatures",
  .enabled(if: MotoServer.python != nil, MotoServer.absence))
struct ObjectCopiesTests {
  private let folder = ScratchFolder()

  private func copies() -> ObjectCopies {
    ObjectCopies(in: folder.path("copies")) { () throws(ObjectStorageError) in
      let server = MotoServer.shared
      return ObjectStore(
        try ObjectStorageAccount(credentials: server.credentials, endpoint: server.endpoint),
        agent: "tests", plan: Fixture.plan())
    }
  }

  @Test("A copy is of the state that was listed; another state is an error until it is listed")
  func states() throws {
    let copies = copies()
    let store = try copies.store()
    let address = Fixture.address("s3://bucket/copies/a b+%é")
    try store.put(ByteView([1, 2, 3]), at: address)
    let first = try ObjectVersion(store.objects(at: address)[0])
    let listed = try store.objects(at: Fixture.address("s3://bucket/copies/"))
    #expect(try listed.map { try ObjectVersion($0) } == [first])
    let late = try ObjectVersion(listed[0])
    try store.put(ByteView([4, 5, 6]), at: address)
    #expect(Fixture.error { _ = try copies.copy(of: late) }?.kind == .changed)
    #expect(Fixture.error { _ = try copies.temporaryCopy(of: late) }?.kind == .changed)
    let second = try ObjectVersion(store.objects(at: address)[0])
    #expect(try copies.copy(of: second).bytes().array == [4, 5, 6])
    try store.delete(address)
    #expect(try self.copies().copy(of: second).bytes().array == [4, 5, 6])
    #expect(copies.has(second) && !copies.has(first))
    #expect(Fixture.error { _ = try copies.copy(of: first) }?.kind == .notFound)
    #expect(try FolderListing.names(in: folder.path("copies")).count == 1)
  }

  @Test("Objects by their key, or by what keys begin with; not those that stand for folders")
  func names() throws {
    let store = try copies().store()
    for key in ["n/a", "n/a/b", "n/ab", "n/d/", "n/d/x"] {
      let bytes = key.hasSuffix("/") ? ByteView.empty : ByteView(key.utf8)
      try store.put(bytes, at: Fixture.address("s3://bucket/\(key)"))
    }
    func keys(_ text: String) throws -> [String] {
      try store.objects(at: Fixture.address(text)).map(\.address.key)
    }
    #expect(try keys("s3://bucket/n/a") == ["n/a"])
    #expect(try keys("s3://bucket/n/a/") == ["n/a/b"])
    #expect(try keys("s3://bucket/n/") == ["n/a", "n/a/b", "n/ab", "n/d/x"])
    #expect(try keys("s3://bucket/n/d/") == ["n/d/x"])
    #expect(Fixture.error { _ = try keys("s3://bucket/n/x") }?.kind == .notFound)
    #expect(Fixture.error { _ = try keys("s3://no-such-bucket/n") }?.code == "NoSuchBucket")
    #expect(Fixture.error { _ = try keys("s3://bucket/n/") } == nil)
  }
}
