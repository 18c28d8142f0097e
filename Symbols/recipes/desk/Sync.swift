/// Sends the day's sales to the office.
actor Sync {
  private var sent: [Int] = []

  func push(_ batches: [Int]) async -> Int {
    for batch in batches {
      await Task.yield()
      sent.append(await confirm(batch))
    }
    return sent.reduce(0, +)
  }

  private func confirm(_ batch: Int) async -> Int {
    await Task.yield()
    return receipt(for: batch)
  }

  @inline(never)
  private func receipt(for batch: Int) -> Int {
    let numbers = [100, 200, 300]
    return numbers[batch]
  }
}

func synchronise(_ batches: [Int]) async -> Int {
  let sync = Sync()
  let pushed = Task { await sync.push(batches) }
  return await pushed.value
}
