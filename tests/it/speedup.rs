//! Speed-up: estimates against the papers.

use crate::common::built_in;
use packscope::api::speedup::{Report, Request, Settings, run};
use packscope::api::{self};
use packscope::cost::{Assumptions, Method, presets};
use packscope::packing::{Algorithm, Depth, go_on};

fn report(depth: Depth, algorithm: Algorithm, assumptions: Assumptions) -> Report {
    let packing = api::Settings { depth, algorithm, ..api::Settings::default() };
    let accelerators = vec![1, 8, 64, 4096];
    let settings = Settings { packing, batch: 16, assumptions, accelerators };
    let data = built_in("wikipedia_bert_512");
    run(&Request::Sequences(data.lengths(), settings), &mut go_on).unwrap()
}

#[test]
fn p1_table_1_comes_out_of_the_preset() {
    let accelerator = presets::named(presets::ACCELERATORS, "ipu").unwrap().value;
    let assumptions = Assumptions { accelerator, ..Assumptions::default() };
    for (depth, algorithm, published) in [
        (Depth::AtMost(2), Algorithm::Spfhp, 1.544),
        (Depth::AtMost(3), Algorithm::Spfhp, 1.716),
        (Depth::AtMost(3), Algorithm::Nnlshp, 1.913),
        (Depth::AtMost(4), Algorithm::Spfhp, 1.803),
        (Depth::AtMost(8), Algorithm::Spfhp, 1.895),
        (Depth::AtMost(16), Algorithm::Spfhp, 1.905),
    ] {
        let report = report(depth, algorithm, assumptions);
        let methods = &report.estimates[1].methods;
        let packed = methods.iter().find(|e| e.method == Method::Packed).unwrap();
        println!(
            "{algorithm} {depth}: {} {} {published}",
            packed.speedup,
            report.figures.realised_speedup.unwrap()
        );
        assert!((packed.speedup - published).abs() < 0.005);
    }
    let report = self::report(Depth::Unlimited, Algorithm::Lpfhp, Assumptions::default());
    for priced in &report.estimates {
        for e in &priced.methods {
            println!(
                "{:5} {:22} {:9.1} s {:.3} {:?}",
                priced.accelerators,
                e.method.name(),
                e.seconds,
                e.speedup,
                e.parts
            );
        }
    }
    println!("{:#?}", report.optimiser);
}
