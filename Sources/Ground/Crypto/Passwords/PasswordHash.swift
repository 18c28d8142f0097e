internal import Bytes
internal import CArgon2
internal import Glibc

/// The Argon2id hash of a password as it is stored, with its salt and cost.
///
///     $argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>
///
/// Source: RFC 9106; the string format of the Password Hashing Competition.
public struct PasswordHash: Equatable, Sendable {
  /// The cost of one hash, and so of each guess.
  struct Cost: Equatable, Sendable {
    /// In KiB.
    var memory: UInt32
    var passes: UInt32
    var lanes: UInt32

    /// Whether a stored hash may have this cost: a higher one would exhaust the server's memory.
    var isBearable: Bool {
      (8_192...65_536).contains(memory) && (1...10).contains(passes) && (1...4).contains(lanes)
    }
  }

  /// The cost of new hashes: the lowest that OWASP's Password Storage Cheat Sheet recommends for Argon2id with
  /// one lane. The 64 MiB of RFC 9106 would, for two people signing in, take more than the rest of the server.
  static let cost = Cost(memory: 19_456, passes: 2, lanes: 1)

  private static let saltSize = 16
  private static let digestSize = 32
  private static let version = 19

  private let cost: Cost
  private let salt: [UInt8]
  private let digest: [UInt8]

  /// Hashes a new password.
  ///
  /// - Throws: ``PasswordError/failed(_:)`` where there is no memory.
  /// - Complexity: About 40 ms and 19 MiB; see ``PasswordGate``.
  public init(of password: String) throws(PasswordError) {
    cost = Self.cost
    salt = Self.random(Self.saltSize)
    digest = try Self.digest(of: password, salt, cost, Self.digestSize)
  }

  /// Reads ``text``.
  ///
  /// - Returns: `nil` for any other text, and for hashes that cost far too little or too much to check.
  public init?(_ text: String) {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false)
    guard text.utf8.count <= 512, parts.count == 6, parts[0].isEmpty, parts[1] == "argon2id",
      parts[2] == "v=\(Self.version)", let cost = Self.cost(parts[3]), cost.isBearable,
      let salt = Base64.decode(String(parts[4])), (8...64).contains(salt.count),
      let digest = Base64.decode(String(parts[5])), (16...64).contains(digest.count)
    else { return nil }
    self.cost = cost
    self.salt = salt
    self.digest = digest
  }

  private init(salt: [UInt8], digest: [UInt8]) {
    cost = Self.cost
    self.salt = salt
    self.digest = digest
  }

  /// A hash that matches no password but costs as much to check as any other, for accounts that do not exist.
  public static let ofNothing = PasswordHash(
    salt: random(saltSize), digest: random(digestSize))

  /// The encoded hash, as it is stored.
  public var text: String {
    "$argon2id$v=\(Self.version)$m=\(cost.memory),t=\(cost.passes),p=\(cost.lanes)"
      + "$\(Self.digits(salt))$\(Self.digits(digest))"
  }

  /// Whether `password` has this hash. The time does not depend on how much of it matches.
  ///
  /// - Throws: ``PasswordError/failed(_:)`` where there is no memory.
  /// - Complexity: As ``init(of:)``.
  public func matches(_ password: String) throws(PasswordError) -> Bool {
    HMAC.isEqual(try Self.digest(of: password, salt, cost, digest.count), digest)
  }

  /// Reads `m=19456,t=2,p=1`.
  private static func cost(_ text: Substring) -> Cost? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let values = zip(["m=", "t=", "p="], parts).compactMap { name, part in
      part.hasPrefix(name) ? UInt32(part.dropFirst(name.count)) : nil
    }
    guard parts.count == 3, values.count == 3 else { return nil }
    return Cost(memory: values[0], passes: values[1], lanes: values[2])
  }

  private static func digits(_ bytes: [UInt8]) -> String {
    String(Base64.encode(bytes).prefix { $0 != "=" })
  }

  private static func random(_ count: Int) -> [UInt8] {
    var source = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &source) }
  }

  private static func digest(
    of password: String, _ salt: [UInt8], _ cost: Cost, _ size: Int
  ) throws(PasswordError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: size)
    var password = Array(password.utf8)
    var salt = salt
    let (passwordSize, saltSize) = (UInt32(password.count), UInt32(salt.count))
    let code = digest.withUnsafeMutableBufferPointer { digest in
      password.withUnsafeMutableBufferPointer { password in
        salt.withUnsafeMutableBufferPointer { salt in
          var context = argon2_context()
          context.out = digest.baseAddress
          context.outlen = UInt32(size)
          context.pwd = password.baseAddress
          context.pwdlen = passwordSize
          context.salt = salt.baseAddress
          context.saltlen = saltSize
          context.t_cost = cost.passes
          context.m_cost = cost.memory
          context.lanes = cost.lanes
          // One thread gives the same hash as one per lane.
          context.threads = 1
          context.version = UInt32(version)
          context.allocate_cbk = takeMemory
          context.free_cbk = giveMemory
          return argon2id_ctx(&context)
        }
      }
    }
    guard code == ARGON2_OK.rawValue else {
      throw .failed(String(cString: argon2_error_message(code)))
    }
    return digest
  }
}

/// Takes the memory directly from the system and returns it: the allocator would keep 19 MiB for each thread
/// that ever hashed.
private func takeMemory(
  _ pointer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, _ count: Int
) -> Int32 {
  let memory = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
  guard let pointer, let memory, memory != MAP_FAILED else {
    return ARGON2_MEMORY_ALLOCATION_ERROR.rawValue
  }
  pointer.pointee = memory.assumingMemoryBound(to: UInt8.self)
  return ARGON2_OK.rawValue
}

private func giveMemory(_ memory: UnsafeMutablePointer<UInt8>?, _ count: Int) {
  if let memory { munmap(memory, count) }
}
