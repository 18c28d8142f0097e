import Crypto
import Testing

@Suite("Hashes of passwords") struct PasswordHashTests {
  /// Source: test.c of the reference implementation, phc-winner-argon2 20171227, version 0x13.
  @Test(
    "Hashes of the reference implementation are checked",
    arguments: [
      (
        "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
        "password"
      ),
      (
        "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$C4TWUs9rDEvq7w3+J4umqA32aWKB1+DSiRuBfYxFj94",
        "differentpassword"
      ),
    ])
  func reference(text: String, password: String) throws {
    let hash = try #require(PasswordHash(text))
    #expect(hash.text == text)
    #expect(try hash.matches(password))
    #expect(try !hash.matches(password + "x"))
    #expect(try !hash.matches(""))
  }

  @Test("Each password is hashed with its own salt and verified against the stored hash")
  func stored() throws {
    for password in ["correct horse", "", "päss\u{0}wörd\u{1F511}"] {
      let hash = try PasswordHash(of: password)
      #expect(hash.text.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
      let read = try #require(PasswordHash(hash.text))
      #expect(read == hash)
      #expect(try read.matches(password))
      #expect(try !read.matches(password + " "))
      #expect(try PasswordHash(of: password) != hash)
    }
    #expect(try !PasswordHash.ofNothing.matches(""))
    #expect(PasswordHash.ofNothing.text.utf8.count == (try PasswordHash(of: "x")).text.utf8.count)
  }

  private static let salt = "c29tZXNhbHQ"
  private static let digest = "CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"

  @Test(
    "Invalid hashes, and those that cost too little or too much, are not checked",
    arguments: [
      "", "$", "$$$$$", "secret",
      "$argon2i$v=19$m=65536,t=2,p=1$\(salt)$\(digest)",
      "$argon2id$v=16$m=65536,t=2,p=1$\(salt)$\(digest)",
      "$argon2id$v=19$m=4294967295,t=2,p=1$\(salt)$\(digest)",
      "$argon2id$v=19$m=65537,t=2,p=1$\(salt)$\(digest)",
      "$argon2id$v=19$m=8,t=1,p=1$\(salt)$\(digest)",
      "$argon2id$v=19$m=65536,t=4294967295,p=1$\(salt)$\(digest)",
      "$argon2id$v=19$m=65536,t=0,p=1$\(salt)$\(digest)",
      "$argon2id$v=19$m=65536,t=2,p=64$\(salt)$\(digest)",
      "$argon2id$v=19$m=65536,t=2$\(salt)$\(digest)",
      "$argon2id$v=19$m=65536,t=2,p=1,x=1$\(salt)$\(digest)",
      "$argon2id$v=19$t=2,m=65536,p=1$\(salt)$\(digest)",
      "$argon2id$v=19$m=65536,t=2,p=1$c2$\(digest)",
      "$argon2id$v=19$m=65536,t=2,p=1$\(salt)$CTFh",
      "$argon2id$v=19$m=65536,t=2,p=1$\(salt)$\(digest)$",
      "$argon2id$v=19$m=65536,t=2,p=1$\(salt)$" + String(repeating: "A", count: 1_000),
    ])
  func refused(text: String) { #expect(PasswordHash(text) == nil) }

  @Test("A new password is long, and not the name")
  func rule() {
    #expect(PasswordRule.problem(with: "correct horse", of: "ann") == nil)
    #expect(PasswordRule.problem(with: "ä1ö2ü3ß4", of: "ann") == nil)
    #expect(PasswordRule.problem(with: String(repeating: "ab c", count: 256), of: "ann") == nil)
    #expect(PasswordRule.problem(with: "horse 1", of: "ann")?.contains("8 characters") == true)
    #expect(
      PasswordRule.problem(with: String(repeating: "ab c", count: 257), of: "ann")?
        .contains("1024 bytes") == true)
    #expect(PasswordRule.problem(with: "Anneliese", of: "anneliese") != nil)
    #expect(PasswordRule.problem(with: "aaaaaaaaaa", of: "ann") != nil)
  }
}
