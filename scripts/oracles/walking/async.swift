// Crashes in a function that others wait for: feed, hatch, tend, season, main.

@inline(never) func crash(_ address: Int) -> Int {
  UnsafePointer<Int>(bitPattern: address)!.pointee
}

@inline(never) func pause() async { try? await Task.sleep(nanoseconds: 1_000_000) }

@inline(never) func feed(_ count: Int) async -> Int {
  let found = crash(count + 8)
  return found + count
}

@inline(never) func hatch(_ count: Int) async -> Int {
  await pause()
  return await feed(count) + 1
}

struct Nest {
  @inline(never) func tend(_ count: Int) async throws -> Int { await hatch(count) + 2 }
}

@inline(never) func season() async throws -> Int {
  await pause()
  return try await Nest().tend(0) + 3
}

@main struct Main {
  static func main() async throws { print(try await season()) }
}
