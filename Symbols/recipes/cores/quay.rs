// Looks up prices in a thread of its own, and expects each to be there.
use std::collections::HashMap;

struct Tariff {
    prices: HashMap<&'static str, u32>,
}

impl Tariff {
    #[inline(never)]
    fn price(&self, name: &str) -> u32 {
        *self.prices.get(name).expect("no such price")
    }
}

#[inline(never)]
fn total(tariff: &Tariff, names: &[String]) -> u32 {
    names.iter().map(|name| tariff.price(name)).sum()
}

fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let tariff = Tariff { prices: HashMap::from([("pen", 250), ("pencil", 120)]) };
    let worker = std::thread::spawn(move || total(&tariff, &names));
    println!("{}", worker.join().unwrap());
}
