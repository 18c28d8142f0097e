import Bytes
import Crypto
import Testing

@Suite struct NameBasedUUIDTests {
  // Python: uuid.uuid5(uuid.NAMESPACE_DNS, "guardsquare.com"), uuid.uuid5(uuid.NAMESPACE_DNS, "")
  @Test(
    "UUIDs of names are those that others compute",
    arguments: zip(
      ["guardsquare.com", ""],
      ["4f44f30f24be53d0bab6f47c7120ad6c", "4ebd020883285d698c44ec50939c0967"]))
  func names(name: String, uuid: String) {
    #expect(
      NameBasedUUID.uuid(of: name, in: NameBasedUUID.domains).hexadecimalDigits == uuid)
  }
}

@Suite struct SHA256Tests {
  // The digests are those of FIPS 180-4's example document.
  @Test(
    "The standard's examples",
    arguments: zip(
      ["", "abc", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"],
      [
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
      ]))
  func examples(text: String, digest: String) {
    #expect(SHA256.hex(of: ByteView(text.utf8)) == digest)
  }

  @Test("Pieces give what the whole gives")
  func pieces() {
    let whole = ByteView((0..<1000).map { UInt8(truncatingIfNeeded: $0) })
    var hash = SHA256()
    for start in stride(from: 0, to: 1000, by: 37) {
      hash.update(whole.clamped(start..<start + 37).bytes)
    }
    let digest = hash.finish()
    #expect(digest == SHA256.digest(of: whole))
  }
}
