import CrashModel
import Identifiers
import Testing

/// Ids in the spellings that tools print; those of Breakpad were compared with symbolic 13.9.
@Suite struct DebugIDTests {
  @Test(
    "A debug id is read in every spelling, and printed in two",
    arguments: [
      (
        "9c2a902b-6fdf-40ad-8308-588a41d572a0-1", "9c2a902b-6fdf-40ad-8308-588a41d572a0-1",
        "9C2A902B6FDF40AD8308588A41D572A01"
      ),
      (
        "9C2A902B6FDF40AD8308588A41D572A01", "9c2a902b-6fdf-40ad-8308-588a41d572a0-1",
        "9C2A902B6FDF40AD8308588A41D572A01"
      ),
      (
        "9c2a902b6fdf40ad8308588a41d572a0deadbeef",
        "9c2a902b-6fdf-40ad-8308-588a41d572a0-deadbeef",
        "9C2A902B6FDF40AD8308588A41D572A0deadbeef"
      ),
      (
        "{9C2A902B-6FDF-40AD-8308-588A41D572A0}", "9c2a902b-6fdf-40ad-8308-588a41d572a0",
        "9C2A902B6FDF40AD8308588A41D572A00"
      ),
      (
        "9C2A902B6FDF40AD8308588A41D572A0A", "9c2a902b-6fdf-40ad-8308-588a41d572a0-a",
        "9C2A902B6FDF40AD8308588A41D572A0a"
      ),
      ("41A53E8F-1", "41A53E8F-1", "41A53E8F1"),
      ("41a53e8f-a0", "41A53E8F-a0", "41A53E8Fa0"),
      ("222222220-2", nil, ""), ("41A53E8F1", nil, ""), ("41A53E8F-", nil, ""),
      ("9c2a902b-6fdf-40ad-8308", nil, ""), ("41A53E8F-123456789", nil, ""),
      ("9c2a902b6fdf40ad8308588a41d572a0123456789", nil, ""), ("ffffff8012345678", nil, ""),
    ] as [(String, String?, String)])
  func spellings(text: String, expected: String?, breakpad: String) {
    let id = DebugID(text)
    #expect(id?.description == expected)
    #expect(id?.breakpadText ?? "" == breakpad)
    if let id {
      #expect(DebugID(id.description) == id)
      #expect(DebugID(breakpad: id.breakpadText) == id)
    }
  }

  @Test(
    "The form of symbol files has no dashes, and time stamps of eight digits",
    arguments: [
      ("222222222", "22222222-2"), ("5D6AA55812", "5D6AA558-12"),
      ("3249D99D0C4049318610F4E4FB0B69361", "3249d99d-0c40-4931-8610-f4e4fb0b6936-1"),
      ("3249d99d0c4049318610f4e4fb0b6936", "3249d99d-0c40-4931-8610-f4e4fb0b6936"),
      ("22222222", nil), ("3249D99D-0C40-4931-8610-F4E4FB0B6936-1", nil),
      ("3249D99D0C4049318610F4E4FB0B693", nil), ("", nil), ("xyz", nil),
    ] as [(String, String?)])
  func breakpadForm(text: String, expected: String?) {
    #expect(DebugID(breakpad: text)?.description == expected)
  }

  // The example in Breakpad's and Sentry's documentation: a build id and its debug id.
  @Test("A build id becomes a GUID in either byte order, and back")
  func buildID() throws {
    let code = try #require(CodeID("baa07a8f843c7080451be2b27cd0a45ad86f205d"))
    let little = DebugID(buildID: code.bytes)
    #expect(little.breakpadText == "8F7AA0BA3C848070451BE2B27CD0A45A0")
    #expect(little.turned == DebugID(uuid: code.bytes))
    #expect(little.turned.turned == little)
    #expect(DebugID(buildID: [1, 2, 3]).description == "00030201-0000-0000-0000-000000000000")
    let stamp = DebugID(timestamp: 0x1234_5678, age: 3)
    #expect(stamp.turned == stamp)
    #expect(stamp != DebugID(uuid: [0x12, 0x34, 0x56, 0x78], age: 3))
  }

  @Test(
    "A code id is the same in every spelling",
    arguments: [
      ("542D574Ec2000", "542d574ec2000"), ("542d574eC2000", "542d574ec2000"),
      ("0x542D574Ec2000", "542d574ec2000"),
      ("{67E9247C-814E-392B-A027-DBDE6748FCBF}", "67e9247c814e392ba027dbde6748fcbf"),
      ("BAA07A8F843C7080451BE2B27CD0A45AD86F205D", "baa07a8f843c7080451be2b27cd0a45ad86f205d"),
      ("", nil), ("0x", nil), ("main", nil), ("12 34", nil),
    ] as [(String, String?)])
  func codeIDs(text: String, expected: String?) { #expect(CodeID(text)?.description == expected) }

  @Test("A PE file's has eight digits of time and no leading zeros of size")
  func peCodeID() {
    #expect(CodeID(timestamp: 0x542d_574e, imageSize: 0xc2000) == CodeID("542D574Ec2000"))
    #expect(CodeID(timestamp: 0x12, imageSize: 0xa).description == "00000012a")
  }

  @Test("An image may be stored under its id in the other byte order, or under its build id's")
  func possibleIDs() throws {
    let code = try #require(CodeID("baa07a8f843c7080451be2b27cd0a45ad86f205d"))
    let little = DebugID(buildID: code.bytes)
    func ids(_ debugID: DebugID?, _ codeID: CodeID?) -> [DebugID] {
      LoadedImage(name: "a", debugID: debugID, codeID: codeID).possibleDebugIDs
    }
    #expect(ids(little, nil) == [little, little.turned])
    #expect(ids(nil, code) == [little, little.turned])
    #expect(ids(little.turned, CodeID(code.bytes.prefix(16))) == [little.turned, little])
    let pdb = DebugID(uuid: little.uuid, age: 1)
    #expect(ids(pdb, CodeID("542D574Ec2000")) == [pdb])
    #expect(ids(DebugID(uuid: []), nil) == [])
  }
}
